import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultTenantId } from '@eas/contracts';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Config, loadConfig } from '../config.ts';
import { firstAdminLink, seed } from './seed.ts';

const test = useTestDatabase();
const encryptionKey = randomBytes(32).toString('base64');
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'eas-seed-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const start = (more: Partial<Config> = {}) =>
  seed({
    config: { ...loadConfig(), ...more, dataDir },
    databaseUrl: test.url,
    setting: 'DATABASE_URL',
    encryptionKey,
    logger: silentLogger,
  });
const users = () => test.database.db.query<{ email: string }>('SELECT email FROM users');

describe('the first admin', () => {
  it('is offered a one-time link at the first start, and not again', async () => {
    const first = await start();
    expect(first.adminPath).toMatch(/^\/admin\/welcome\?token=[\w-]{43}$/);
    expect(statSync(join(dataDir, firstAdminLink)).mode & 0o777).toBe(0o600);
    expect((await start()).adminPath).toBeUndefined();
    expect(await users()).toEqual([]);
  });

  it('comes from the settings, once, when they are there', async () => {
    const settings = { email: 'ada@example.com', password: 'a few words in a row' };
    expect((await start({ firstAdmin: settings })).adminPath).toBeUndefined();
    await start({ firstAdmin: { ...settings, email: 'other@example.com' } });
    expect(await users()).toEqual([{ email: settings.email }]);
  });

  it('is offered no link while there is an admin', async () => {
    expect((await start()).adminPath).toBeUndefined();
  });
});

describe('the shipped workflows', () => {
  const workflows = () =>
    test.database.db.query<{ id: string; tenant: string; name: string; version: number }>(
      `SELECT id, tenant_id AS tenant, shipped_as AS name, current_version AS version FROM workflows
       WHERE tenant_id = ANY (SELECT id FROM tenants) ORDER BY tenant_id, shipped_as`,
    );

  it('are created for every tenant once, over any number of starts', async () => {
    const other = await test.createTenant();
    await start();
    const given = await workflows();
    for (const tenant of [defaultTenantId, other])
      expect(given.filter((one) => one.tenant === tenant).map(({ name, version }) => [name, version])).toEqual([
        ['bug-fix', 1],
        ['code-review', 1],
        ['feature-development', 1],
        ['incident-response', 1],
        ['release', 1],
      ]);
    await start();
    expect(await workflows()).toEqual(given);
  });
});

describe('the example project', () => {
  const projects = () =>
    test.database.db.query<{ tenant: string; name: string; names: string[] }>(
      `SELECT p.tenant_id AS tenant, p.name, array_agg(r.name ORDER BY r.name) AS names
       FROM projects p JOIN project_repositories r ON r.tenant_id = p.tenant_id AND r.project_id = p.id GROUP BY 1, 2`,
    );

  it('is created for the first tenant once, also with concurrent starts, and can be archived', async () => {
    await test.database.db.query('DELETE FROM project_repositories WHERE tenant_id = $1', [defaultTenantId]);
    await test.database.db.query('DELETE FROM projects WHERE tenant_id = $1', [defaultTenantId]);
    await Promise.all([start(), start()]);
    const names = ['github.com/octocat/hello-world', 'hello-world', 'octocat/hello-world'];
    const given = [{ tenant: defaultTenantId, name: 'Hello World', names }];
    expect(await projects()).toEqual(given);
    await test.database.db.query('UPDATE projects SET archived_at = app_now() WHERE tenant_id = $1', [defaultTenantId]);
    await start();
    expect(await projects()).toEqual(given);
  });
});

describe('the first key', () => {
  const statusOf = async (lastFour: string) =>
    (
      await test.database.db.query<{ is: boolean }>(
        'SELECT revoked_at IS NULL AS is FROM api_keys WHERE last_four = $1 AND tenant_id = $2',
        [lastFour, defaultTenantId],
      )
    ).map((row) => row.is);

  it('of another data folder stays valid next to that of a new one, and the start reports it', async () => {
    const { newKey: one = '' } = await start();
    const again = await start();
    expect([again.newKey, again.notices]).toEqual([undefined, []]);
    rmSync(dataDir, { recursive: true });
    dataDir = mkdtempSync(join(tmpdir(), 'eas-seed-'));
    const moved = await start();
    expect(moved.newKey).toMatch(/^eas_live_/);
    expect(moved.notices.join('\n')).toContain(`…${one.slice(-4)} of `);
    expect(await statusOf(one.slice(-4))).toEqual([true]);
  });

  it('of the setting is replaced when the setting changes, and the start reports it', async () => {
    await start({ bootstrapApiKey: 'the-first-key-of-a-setting' });
    const { notices } = await start({ bootstrapApiKey: 'another-key-of-the-setting' });
    expect(notices).toEqual([
      'BOOTSTRAP_API_KEY has changed: the previous key, which ends in ting, is no longer valid',
    ]);
  });
});

describe('another encryption key than the data’s', () => {
  it('refuses to seed', async () => {
    await start();
    const other = randomBytes(32).toString('base64');
    const config = { ...loadConfig(), dataDir };
    await expect(
      seed({ config, databaseUrl: test.url, setting: 'DATABASE_URL', encryptionKey: other, logger: silentLogger }),
    ).rejects.toThrow('ENCRYPTION_KEY is not the key of the data');
  });
});
