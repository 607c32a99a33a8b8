import { scopes } from '@eas/contracts';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Authenticator,
  createApiKey,
  createAuthenticator,
  ensureBootstrapKey,
  ensureFolderKey,
  generateApiKey,
} from '../index.ts';

const testDatabase = useTestDatabase();
let authenticator: Authenticator | undefined;

function start(options: { freshMs?: number; staleMs?: number } = {}) {
  const { database } = testDatabase;
  let queries = 0;
  const db = {
    query: (text: string, values?: readonly unknown[]) => {
      queries += 1;
      return database.db.query(text, values);
    },
  } as typeof database.db;
  authenticator = createAuthenticator({
    database: { db, listener: database.listener },
    logger: silentLogger,
    ...options,
  });
  const { authenticate } = authenticator;
  return { ask: async (key?: string) => authenticate({ 'x-api-key': key }), queries: () => queries };
}
afterEach(() => authenticator?.close());

const makeKey = (input: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  createApiKey(testDatabase.context(), { name: 'test', scopes: ['tasks:read'], ...input });
const revoke = (id: string) =>
  testDatabase.database.db.query('UPDATE api_keys SET revoked_at = app_now() WHERE id = $1', [id]);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('authentication by API key', () => {
  it('returns the caller and stores no key text', async () => {
    const { ask } = start();
    const { id, key } = await makeKey({ tier: 'basic' });
    expect(await ask(key)).toMatchObject({ credentialId: id, actor: { id }, scopes: ['tasks:read'], rateLimit: 60 });
    const rows = await testDatabase.database.db.query(`SELECT 1 FROM api_keys k WHERE k::text LIKE '%' || $1 || '%'`, [
      key,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('refuses a missing key, a wrong one and a bearer token with a challenge', async () => {
    const { ask, queries } = start();
    for (const key of [undefined, '', 'short', `${generateApiKey().slice(0, -1)}!`, 'x'.repeat(200)])
      await expect(ask(key)).rejects.toMatchObject({
        code: 'unauthorized',
        headers: { 'WWW-Authenticate': expect.any(String) },
      });
    expect(queries()).toBe(0);
    await expect(ask(generateApiKey())).rejects.toMatchObject({ code: 'unauthorized' });
    const { key } = await makeKey();
    const both = async () => authenticator?.authenticate({ 'x-api-key': key, authorization: 'Bearer abc' });
    await expect(both()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('accepts a key as a bearer too, and uses X-API-Key if both are sent', async () => {
    start({ freshMs: 60_000, staleMs: 60_000 });
    const [one, other] = [await makeKey(), await makeKey()];
    const ask = async (headers: Record<string, string>) => authenticator?.authenticate(headers);
    const authorization = `Bearer ${one.key}`;
    expect(await ask({ authorization })).toMatchObject({ kind: 'key', credentialId: one.id });
    expect(await ask({ authorization, 'x-api-key': other.key })).toMatchObject({ credentialId: other.id });
    expect(authenticator?.tenantOf({ authorization })).toBe(testDatabase.context().tenantId);
    for (const wrong of [generateApiKey(), `eas_live_${'0'.repeat(38)}`, 'eas_live_'])
      await expect(ask({ authorization: `Bearer ${wrong}` })).rejects.toMatchObject({
        code: 'unauthorized',
        message: 'The API key is not valid.',
      });
  });

  it('refuses expired and revoked keys', async () => {
    const { ask } = start();
    const expired = await makeKey({ expiresAt: new Date(Date.now() - 1_000) });
    await expect(ask(expired.key)).rejects.toMatchObject({ code: 'unauthorized' });
    const revoked = await makeKey();
    await revoke(revoked.id);
    await expect(ask(revoked.key)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('sends no query while the key is fresh', async () => {
    const { ask, queries } = start({ freshMs: 60_000, staleMs: 60_000 });
    const { key } = await makeKey();
    for (let call = 0; call < 50; call += 1) await ask(key);
    expect(queries()).toBe(1);
  });

  it('sends one query for concurrent calls with an unknown key', async () => {
    const { ask, queries } = start();
    const { key } = await makeKey();
    const both = [key, generateApiKey()];
    const asked = await Promise.allSettled([...both, ...both, ...both].map((one) => ask(one)));
    expect(asked.map(({ status }) => status)).toEqual([1, 2, 3].flatMap(() => ['fulfilled', 'rejected']));
    expect(queries()).toBe(2);
  });

  it('refreshes an ageing key in the background, once for all callers', async () => {
    const { ask, queries } = start({ freshMs: 0, staleMs: 60_000 });
    const { key } = await makeKey();
    await ask(key);
    await Promise.all([ask(key), ask(key), ask(key)]);
    expect(queries()).toBe(2);
  });

  it('stops accepting a revoked key within the stale time without any notification', async () => {
    const { ask } = start({ freshMs: 100, staleMs: 200 });
    const { id, key } = await makeKey();
    await ask(key);
    await revoke(id);
    await sleep(210);
    await expect(ask(key)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('knows the tenant of a previously accepted key without a query', async () => {
    const { ask, queries } = start({ freshMs: 0, staleMs: 0 });
    const { key } = await makeKey();
    expect(authenticator?.tenantOf({ 'x-api-key': key })).toBeUndefined();
    await ask(key);
    const before = queries();
    expect(authenticator?.tenantOf({ 'x-api-key': key })).toBe(testDatabase.context().tenantId);
    expect(authenticator?.tenantOf({ 'x-api-key': generateApiKey() })).toBeUndefined();
    expect(authenticator?.tenantOf({})).toBeUndefined();
    expect(queries()).toBe(before);
  });

  it('drops a key when it is notified', async () => {
    const { ask } = start({ freshMs: 60_000, staleMs: 60_000 });
    const { id, key } = await makeKey();
    await ask(key);
    await revoke(id);
    testDatabase.database.notify('access', id);
    const isRefused = () =>
      ask(key).then(
        () => false,
        () => true,
      );
    await eventually(isRefused);
  });

  it('records the last use in the background', async () => {
    const { ask } = start();
    const { id, key } = await makeKey();
    await ask(key);
    await authenticator?.close();
    const rows = await testDatabase.database.db.query(
      'SELECT 1 FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL',
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('the bootstrap key', () => {
  const ensure = (key: string, rateLimit = 10_000) => ensureBootstrapKey(testDatabase.context(), { key, rateLimit });
  const first = 'first-key-of-the-settings-1';
  const second = 'second-key-of-the-settings-2';

  it('is created once by processes that boot together, with every scope', async () => {
    await Promise.all([ensure(first), ensure(first), ensure(first)]);
    const { ask } = start();
    expect(await ask(first)).toMatchObject({ scopes: [...scopes], rateLimit: 10_000 });
    const rows = await testDatabase.database.db.query(`SELECT 1 FROM api_keys WHERE origin = 'bootstrap'`);
    expect(rows).toHaveLength(1);
  });

  it('follows the text and the limit of the setting, also back again', async () => {
    const { ask } = start({ freshMs: 0, staleMs: 0 });
    await ensure(second, 5);
    expect((await ask(second)).rateLimit).toBe(5);
    await expect(ask(first)).rejects.toMatchObject({ code: 'unauthorized' });
    await ensure(first);
    expect((await ask(first)).rateLimit).toBe(10_000);
  });

  it('stays revoked', async () => {
    const { ask } = start({ freshMs: 0, staleMs: 0 });
    const { credentialId } = await ask(first);
    await revoke(credentialId);
    await ensure(first);
    await expect(ask(first)).rejects.toMatchObject({ code: 'unauthorized' });
    await ensure(second);
    expect((await ask(second)).scopes).toContain('admin');
  });

  it('reports what it did: a key that is no longer valid is never replaced silently', async () => {
    const system = testDatabase.context({ tenantId: await testDatabase.createTenant() });
    const say = (key: string) => ensureBootstrapKey(system, { key, rateLimit: 1 });
    expect(await say('a-first-key-of-a-setting')).toEqual({ kind: 'made', others: [] });
    expect(await say('a-first-key-of-a-setting')).toEqual({ kind: 'unchanged' });
    expect(await say('another-key-of-the-setting')).toEqual({ kind: 'replaced', lastFour: 'ting' });
  });

  it('of a data folder exists next to that of another folder and that of the setting', async () => {
    const { ask } = start({ freshMs: 0, staleMs: 0 });
    const [one, other] = [generateApiKey(), generateApiKey()];
    const folder = (key: string) => ensureFolderKey(testDatabase.context(), { key, rateLimit: 7 });
    expect(await folder(one)).toMatchObject({ kind: 'made', others: [{ lastFour: second.slice(-4) }] });
    expect(await folder(other)).toMatchObject({ kind: 'made', others: [{ lastFour: one.slice(-4) }, {}] });
    expect(await folder(one)).toEqual({ kind: 'unchanged' });
    for (const key of [one, other, second]) expect((await ask(key)).scopes).toContain('admin');
  });

  it('is refused when it could never be used', async () => {
    await expect(ensure('short')).rejects.toThrow('BOOTSTRAP_API_KEY');
    await expect(ensure(`eas_live_${'0'.repeat(38)}`)).rejects.toThrow('BOOTSTRAP_API_KEY');
  });
});
