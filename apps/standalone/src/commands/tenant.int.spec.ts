import { randomBytes } from 'node:crypto';
import { createApiKey, createUser } from '@eas/access';
import { createTaskBody, scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, removeTenant, type UseCaseContext } from '@eas/db';
import { createIntegration, deleteIntegration } from '@eas/integrations';
import { createReconcile } from '@eas/task-platform';
import { queueChatMessages } from '@eas/chat';
import { createAgent, createTask } from '@eas/tasks';
import { eventually, useTestDatabase } from '@eas/testing';
import { ensureShippedWorkflows } from '@eas/workflows';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config.ts';
import { shippedWorkflows } from '../preparation/seed.ts';
import { runFromTerminal } from './command.fixture.ts';

const test = useTestDatabase();
const encryptionKeys = [randomBytes(32).toString('base64')];
const config = () => ({ ...loadConfig(), databaseUrl: test.url, encryptionKeys });
const run = (...line: string[]) => runFromTerminal(line, { databaseUrl: test.url, encryptionKeys });
const tenants = async () =>
  (await test.database.db.query<{ slug: string }>('SELECT slug FROM tenants ORDER BY slug')).map(({ slug }) => slug);

/** A tenant with something in most tables. */
async function makeTenant(name: string): Promise<string> {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId });
  await ensureShippedWorkflows(ctx, shippedWorkflows(config()));
  const agent = await createAgent(ctx, { name, role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  await createTask(ctx, createTaskBody.parse({ title: name, description: 'd', assigned_agent: agent.id }));
  await createApiKey(ctx, { name, scopes, agentId: agent.id });
  await createUser(ctx, { body: { email: `${name}@example.com`, name, scopes: ['admin'] }, scopes });
  await queueMessage(ctx);
  await reconcilePlatform(ctx);
  await insertPullRequest(ctx);
  return tenantId;
}

/** A message that waits to be posted to a chat workspace. */
async function queueMessage(ctx: UseCaseContext): Promise<void> {
  const webhook_url = 'https://hooks.example.com/x';
  await createIntegration(ctx, { type: 'slack', workspace_name: 'acme', webhook_url, events: ['*'] });
  const event = { eventId: newId('event'), type: 'task.started' as const, data: {} };
  await ctx.inTransaction((tx) => queueChatMessages(contextInTransaction(ctx, tx), [event]));
}

/** A reconciliation that runs, of an integration that is deleted. */
async function reconcilePlatform(ctx: UseCaseContext): Promise<void> {
  const body = { type: 'taskplatform', secret: 'a secret of the platform', token: 'pk_token' } as const;
  const { id: integrationId } = (await createIntegration(ctx, body)).integration;
  await createReconcile(ctx, { integrationId, body: { since: new Date(ctx.clock.now().getTime() - 1_000) } });
  await deleteIntegration(ctx, { id: integrationId, ifMatch: undefined });
}

async function insertPullRequest({ db, tenantId }: UseCaseContext): Promise<void> {
  const task = '(SELECT id FROM tasks WHERE tenant_id = $1 LIMIT 1)';
  await db.query(
    `INSERT INTO pull_requests (tenant_id, integration_ref, repository, number, task_id, created_at)
     VALUES ($1, 'int_1', 'acme/web', 7, ${task}, now())`,
    [tenantId],
  );
  await db.query(
    `INSERT INTO pull_request_stages (tenant_id, integration_ref, repository, number, stage, at, data)
     VALUES ($1, 'int_1', 'acme/web', 7, 'opened', now(), '{}')`,
    [tenantId],
  );
  await db.query(
    `INSERT INTO chat_clicks (tenant_id, integration_id, signature, received_at)
     SELECT $1, id, 's', now() FROM integrations WHERE tenant_id = $1 AND type = 'slack'`,
    [tenantId],
  );
}

/** Rows of the tenant in every table that has any. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const tables = await test.database.db.query<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
     WHERE c.table_schema = 'public' AND column_name = 'tenant_id' AND table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const sql = `SELECT count(*)::int AS n FROM "${name}" WHERE tenant_id = $1`;
    const [row] = await test.database.db.query<{ n: number }>(sql, [tenantId]);
    if (row?.n) counts[name] = row.n;
  }
  return counts;
}

describe('a tenant', () => {
  it('is removed with every row that is its own, and nothing of another one', async () => {
    const [gone, kept] = [await makeTenant('gone'), await makeTenant('kept')];
    const before = await rowsOf(kept);
    expect(Object.keys(await rowsOf(gone))).toEqual(
      expect.arrayContaining([
        'agents',
        'api_keys',
        'audit_log',
        'chat_channels',
        'chat_clicks',
        'chat_messages',
        'events',
        'platform_apis',
        'platform_calls',
        'platform_reconciles',
        'pull_request_stages',
        'pull_requests',
        'tasks',
        'users',
        'workflows',
      ]),
    );
    await removeTenant(test.context(), gone, { settleMs: 0 });
    expect(await rowsOf(gone)).toEqual({});
    expect(await rowsOf(kept)).toEqual(before);
    const [row] = await test.database.db.query('SELECT 1 FROM tenants WHERE id = $1', [gone]);
    expect(row).toBeUndefined();
    await expect(test.database.db.query('DELETE FROM audit_log WHERE tenant_id = $1', [kept])).rejects.toThrow();
  });

  it('is removed in statements of a thousand rows, of partitions too', async () => {
    const [gone, kept] = [await makeTenant('large'), await makeTenant('other')];
    const { db } = test.database;
    for (const tenantId of [gone, kept])
      await db.query(
        `INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
         SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.created', now(), '{}'
         FROM generate_series(1, 2500) AS n`,
        [tenantId],
      );
    await db.query('CREATE TABLE deleted_at_once (rows int)');
    await db.query(
      `CREATE FUNCTION note_deleted() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN INSERT INTO deleted_at_once SELECT count(*) FROM gone; RETURN NULL; END $$`,
    );
    const [partition] = await db.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM events WHERE tenant_id = $1 ORDER BY event_id DESC LIMIT 1',
      [gone],
    );
    await db.query(
      `CREATE TRIGGER note_deleted AFTER DELETE ON ${partition?.name} REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION note_deleted()`,
    );
    const before = await rowsOf(kept);
    await removeTenant(test.context(), gone, { settleMs: 0 });
    expect(await rowsOf(gone)).toEqual({});
    expect(await rowsOf(kept)).toEqual(before);
    const [counts] = await db.query('SELECT max(rows), sum(rows)::int >= 2500 AS "isAll" FROM deleted_at_once');
    expect(counts).toEqual({ max: 1_000, isAll: true });
  });

  it('whose removal was interrupted is removed by the next one', async () => {
    const gone = await makeTenant('broken-off');
    const stop = new AbortController();
    const first = removeTenant(test.context(), gone, { settleMs: 60_000, signal: stop.signal });
    await eventually(async () => (await rowsOf(gone))['integrations'] === undefined);
    stop.abort();
    expect(await first).toBe(false);
    expect((await rowsOf(gone))['tasks']).toBeGreaterThan(0);
    await removeTenant(test.context(), gone, { settleMs: 0 });
    expect(await rowsOf(gone)).toEqual({});
  });

  it('that a command and the sweep remove at once is gone for both, and one event says so', async () => {
    const gone = await makeTenant('removed-twice');
    const remove = () => removeTenant(test.context(), gone, { settleMs: 0 });
    expect(await Promise.all([remove(), remove(), remove(), remove()])).toEqual([true, true, true, true]);
    expect([await remove(), await rowsOf(gone)]).toEqual([true, {}]);
    const events = await test.database.db.query(
      `SELECT 1 FROM events WHERE event_type = 'tenant.deleted' AND data->>'tenant_id' = $1`,
      [gone],
    );
    expect(events).toHaveLength(1);
  });

  it('is removed by an operator who says so, and the one of the installation never', async () => {
    expect((await run('tenant:create', 'short-lived')).out).toMatch(/^tenant tnt_/);
    const before = await tenants();
    expect(before).toContain('short-lived');
    const refusals = [
      [['short-lived'], /Add --yes/],
      [['default', '--yes'], /default cannot be deleted/],
      [['unknown', '--yes'], /Unknown tenant: unknown/],
    ] as const;
    for (const [args, sentence] of refusals) expect((await run('tenant:delete', ...args)).err).toMatch(sentence);
    expect(await tenants()).toEqual(before);
    await test.database.db.query(
      `INSERT INTO analytics_throughput (tenant_id, grain, at, role, created)
       SELECT id, 'day', date_trunc('day', app_now(), 'UTC'), '', 3 FROM tenants WHERE slug = 'short-lived'`,
    );
    expect((await run('tenant:delete', 'short-lived', '--yes')).code).toBe(0);
    expect(await tenants()).not.toContain('short-lived');
    const events = await test.database.db.query(
      `SELECT event_type AS type FROM events WHERE data->>'slug' = 'short-lived' ORDER BY event_id`,
    );
    const types = ['tenant.created', 'tenant.usage_recorded', 'tenant.deleted'];
    expect(events).toEqual(types.map((type) => ({ type })));
  });
});
