import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient, tierRateLimits } from '@eas/access';
import { createWebhookBody, scopes } from '@eas/contracts';
import { createSecretBox, keyIdOf } from '@eas/core';
import { reseal, type SealedTable, type UseCaseContext } from '@eas/db';
import { createIntegration } from '@eas/integrations';
import { useTestDatabase } from '@eas/testing';
import { createEndpoint } from '@eas/webhooks';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from './command.fixture.ts';
import { sealedTables } from './reseal.ts';

const test = useTestDatabase();
const makeKey = () => randomBytes(32).toString('base64');
const [old, fresh, foreign] = [makeKey(), makeKey(), makeKey()];
const run = (keys: string[], ...args: string[]) =>
  runFromTerminal(['reseal', ...args], { databaseUrl: test.url, encryptionKeys: keys });
const contextWith = (...keys: string[]): UseCaseContext => ({ ...test.context(), secrets: createSecretBox(keys) });

const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };

/** One of everything that has a secret. */
async function makeSecrets(ctx: UseCaseContext): Promise<void> {
  const url = 'https://example.com/hook';
  const body = createWebhookBody.parse({ url, events: ['*'], headers: { 'X-Token': 'hush' } });
  await createEndpoint(ctx, { body, scopes }, rules);
  const platform = { type: 'taskplatform', secret: 'a secret of the platform', token: 'pk_token' } as const;
  await createIntegration(ctx, platform);
  const chat = {
    type: 'slack',
    workspace_name: 'acme',
    webhook_url: url,
    signing_secret: 'sign'.repeat(8),
    events: ['*'],
  };
  await createIntegration(ctx, chat as never);
  await createClient(ctx, clientInput as never);
  const { id } = await ctx.db.prisma.integration.findFirstOrThrow({ where: { tenantId: ctx.tenantId, type: 'slack' } });
  const cell = { tenantId: ctx.tenantId, table: 'chat_messages', column: 'response_url', rowId: `${id}/inp_1` };
  await ctx.db.query(
    `INSERT INTO chat_messages (tenant_id, id, integration_id, event_id, event_type, channel, input_id, kind, state, created_at, next_attempt_at, response_url)
     VALUES ($1, 'cht_1', $2, 'evt_1', 'task.asked', '', 'inp_1', 'edit', 'pending', app_now(), app_now(), $3)`,
    [ctx.tenantId, id, ctx.secrets.seal(url, cell)],
  );
  const rowId = JSON.stringify(['key_1', 'POST /v1/tasks', 'k']);
  const response = ctx.secrets.seal('{}', {
    tenantId: ctx.tenantId,
    table: 'idempotency_records',
    column: 'response',
    rowId,
  });
  await ctx.db.query(
    `INSERT INTO idempotency_records (tenant_id, credential_id, route, key, fingerprint, status, response)
     VALUES ($1, 'key_1', 'POST /v1/tasks', 'k', '', 201, $2)`,
    [ctx.tenantId, response],
  );
}

const clientInput = {
  body: {
    name: 'Shop',
    redirect_uris: ['https://shop.example.com/cb'],
    scopes: ['tasks:read'],
    tier: 'standard',
    is_public: false,
  },
  giver: { scopes, rateLimit: tierRateLimits.enterprise },
};

/** Ids of the keys of every sealed value, by column; each opened by that box. */
async function keysInUse(ctx: UseCaseContext): Promise<Record<string, string[]>> {
  const used: Record<string, string[]> = {};
  for (const { table, ids, cellColumns = [], columns, cellOf } of sealedTables)
    for (const column of columns) {
      const names = [...ids, ...cellColumns].join(', ');
      const sql = `SELECT ARRAY[${names}]::text[] AS values, ${column} AS sealed FROM ${table} WHERE tenant_id = $1 AND ${column} IS NOT NULL`;
      const rows = await ctx.db.query<{ values: string[]; sealed: string }>(sql, [ctx.tenantId]);
      rows.forEach(({ values, sealed }) => ctx.secrets.open(sealed, cellOf(ctx.tenantId, values, column)));
      used[`${table}.${column}`] = rows.map(({ sealed }) => keyIdOf(sealed));
    }
  return used;
}

const canaries = async () =>
  (await test.database.db.query<{ id: string }>('SELECT key_id AS id FROM encryption_canaries ORDER BY 1')).map(
    ({ id }) => id,
  );

beforeEach(() => makeSecrets(contextWith(old)));
afterEach(async () => {
  const tables = [...sealedTables.map(({ table }) => table), 'encryption_canaries'];
  await test.database.db.query(`TRUNCATE ${tables.join(', ')} CASCADE`);
});

describe('reseal', () => {
  it('encrypts everything with the first key, after which the old one is not needed', async () => {
    await run([old], '--check');
    const [oldId, freshId] = [createSecretBox([old]).keyId, createSecretBox([fresh]).keyId];
    const before = await run([fresh, old], '--check');
    expect([before.code, before.out]).toEqual([
      1,
      expect.stringContaining(`endpoints: 2 values are encrypted with key ${oldId}`),
    ]);
    const { code, out } = await run([fresh, old]);
    expect([code, out]).toEqual([0, expect.stringContaining('older keys can be removed')]);
    const used = await keysInUse(contextWith(fresh));
    expect(
      Object.values(used)
        .flat()
        .every((id) => id === freshId),
    ).toBe(true);
    expect(Object.values(used).filter((ids) => ids.length === 0)).toHaveLength(2);
    expect(await canaries()).toEqual([freshId]);
    expect(await run([fresh], '--check')).toMatchObject({ code: 0, err: '' });
    expect(await run([old], '--check')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not the key of the data'),
    });
  });

  it('changes nothing with --check, and nothing when it runs again', async () => {
    const before = await keysInUse(contextWith(old));
    await run([fresh, old], '--check');
    expect(await keysInUse(contextWith(old))).toEqual(before);
    await run([fresh, old]);
    const { out } = await run([fresh, old], '--json');
    const { tables, left } = JSON.parse(out) as { tables: { resealed: number }[]; left: unknown[] };
    expect([tables.map(({ resealed }) => resealed), left]).toEqual([[0, 0, 0, 0, 0], []]);
  });

  it('skips, keeps and reports what it cannot decrypt', async () => {
    const tenantId = await test.createTenant();
    await makeSecrets({ ...test.context({ tenantId }), secrets: createSecretBox([foreign]) });
    await run([old], '--check');
    const { code, out } = await run([fresh, old]);
    expect([code, out]).toEqual([1, expect.stringMatching(/values cannot be decrypted: add the missing keys/)]);
    const used = await keysInUse(contextWith(fresh));
    expect(new Set(Object.values(used).flat())).toEqual(new Set([createSecretBox([fresh]).keyId]));
    expect(await canaries()).toContain(createSecretBox([old]).keyId);
    expect(await run([fresh, foreign])).toMatchObject({ code: 0 });
  });

  it('handles more rows than a batch, concurrently with processes that change them', async () => {
    const ctx = contextWith(old);
    for (let n = 0; n < 450; n += 1) {
      const rowId = JSON.stringify(['key_1', 'r', `k${n}`]);
      const response = ctx.secrets.seal(String(n), {
        tenantId: ctx.tenantId,
        table: 'idempotency_records',
        column: 'response',
        rowId,
      });
      await ctx.db.query(
        `INSERT INTO idempotency_records (tenant_id, credential_id, route, key, fingerprint, status, response) VALUES ($1, 'key_1', 'r', $2, '', 200, $3)`,
        [ctx.tenantId, `k${n}`, response],
      );
    }
    const changes = Array.from({ length: 20 }, () =>
      ctx.db.query(`UPDATE endpoints SET failures_in_row = failures_in_row + 1 WHERE tenant_id = $1`, [ctx.tenantId]),
    );
    const responses = sealedTables.at(-1) as SealedTable;
    const other = reseal(contextWith(fresh, old), responses);
    const [ran, { resealed }] = await Promise.all([run([fresh, old]), other, ...changes]);
    expect([ran.code, resealed]).toEqual([0, expect.any(Number)]);
    const used = await keysInUse(contextWith(fresh));
    expect(used['idempotency_records.response']).toHaveLength(451);
    const [row] = await ctx.db.query('SELECT failures_in_row AS n FROM endpoints WHERE tenant_id = $1', [ctx.tenantId]);
    expect(row).toEqual({ n: 20 });
  });

  it('knows every column that the code seals', () => {
    const root = resolve(import.meta.dirname, '../../../..');
    const files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\/src\/.*\.ts$/.test(file) && !/node_modules|\.spec\.ts$/.test(file),
    );
    const sealed = files.flatMap((file) =>
      [...readFileSync(join(root, 'libs', file), 'utf8').matchAll(/table: '(\w+)',\s*column\b/g)].map(
        ([, table]) => table,
      ),
    );
    // Canaries are made again by each key. The token of a known browser is in its cookie.
    const others = ['encryption_canaries', 'users'];
    expect(new Set(sealed)).toEqual(new Set([...sealedTables.map(({ table }) => table), ...others]));
  });
});
