import { randomBytes } from 'node:crypto';
import { createApiKey, listAudit } from '@eas/access';
import { createWebhookBody, pageOf, scopes } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import { append, type UseCaseContext } from '@eas/db';
import { createIntegration } from '@eas/integrations';
import { useTestDatabase } from '@eas/testing';
import { createEndpoint } from '@eas/webhooks';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from '../command.fixture.ts';

const test = useTestDatabase();
const encryptionKeys = [randomBytes(32).toString('base64')];
const secrets = createSecretBox(encryptionKeys);
const run = (...line: string[]) => runFromTerminal(line, { databaseUrl: test.url, encryptionKeys });

let ctx: UseCaseContext;
let slug = '';
beforeEach(async () => {
  const tenantId = await test.createTenant();
  ctx = { ...test.context({ tenantId }), secrets };
  slug = tenantId.slice(-12);
});

const usage: readonly (readonly [string, readonly string[], string | RegExp])[] = [
  ['key:revoke', [], 'The id of a key is required. key:list shows the ids.'],
  ['key:revoke', ['key_none'], 'Unknown key: key_none.'],
  ['key:list', ['--tenant', 'unknown'], 'Unknown tenant: unknown.'],
  ['key:list', ['--limits'], "Unknown option '--limits'. See npm run cmd -- key:list --help."],
  ['db:migrate', ['--dry-run'], "Unknown option '--dry-run'. See npm run cmd -- db:migrate --help."],
  ['db:seed', ['now'], "Unexpected argument 'now'."],
  ['tenant:create', ['acme', '--label', 'Foo'], "Unknown option '--label'."],
  ['tenant:create', ['acme', ''], 'The name must have 1 to 200 characters'],
  ['key:create', ['Nightly', 'run'], "Unexpected argument 'run'. Put a value with spaces in quotes."],
  ['key:create', ['k'.repeat(201)], 'The name must have 1 to 200 characters'],
  ['backup', ['a.dump', 'b.dump'], "Unexpected argument 'b.dump'."],
  ['db:reset', [], /\(postgresql:\S+ \(DATABASE_URL\)\)\. Add --yes/],
  ['dead:list', ['--limit', '0'], '--limit must be a number from 1 to 1000.'],
  ['dead:retry', [], 'Name the events to retry, or pass --all.'],
  ['dead:retry', ['evt_1', '--all'], 'Name the events to retry, or pass --all.'],
  ['dead:retry', ['evt_1'], 'Not among the dead events: evt_1.'],
  ['replay', [], 'Name the webhook to replay, or pass --all.'],
  ['replay', ['whk_1'], 'Unknown webhook: whk_1.'],
  ['replay', ['whk_1', '--from', 'yesterday'], '--from:'],
  ['replay', ['whk_1', '--statuses', 'sad'], '--statuses:'],
  ['replay', ['whk_1', '--max-per-second', 'many'], '--max-per-second:'],
  ['figures:rebuild', ['--max-per-second', '0'], '--max-per-second must be a number from 1 to 100000.'],
  ['figures:rebuild', ['--tenant', 'unknown'], 'Unknown tenant: unknown.'],
  ['reconcile', [], 'The id of an integration is required. Pass it as the first argument.'],
  ['reconcile', ['int_1'], '--since is required.'],
  ['reconcile', ['int_1', '--since', '2026-13-01'], '--since:'],
  ['reconcile', ['int_1', '--since', '2026-11-01T00:00:00Z'], 'Unknown integration: int_1.'],
];

describe('a command with wrong input', () => {
  it.each(usage)('%s %j is refused in one line', async (name, args, sentence) => {
    const { code, out, err } = await run(name, ...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('that empties or fills a database names the address that it would use', async () => {
    const settings = { databaseUrl: 'postgresql://app@h/eas', migrateDatabaseUrl: 'postgresql://owner:hush@h/eas' };
    for (const line of [['db:reset'], ['restore', 'a.dump']]) {
      const { err } = await runFromTerminal(line, { ...settings, encryptionKeys });
      expect(err).toContain('postgresql://owner@h/eas (MIGRATE_DATABASE_URL)');
      expect(err).not.toContain('hush');
    }
  });

  it('makes and changes nothing', async () => {
    const rows = await ctx.db.query<{ name: string }>(
      `SELECT name FROM tenants WHERE slug = 'acme' UNION ALL SELECT name FROM api_keys WHERE name = 'Nightly'`,
    );
    expect(rows).toEqual([]);
  });

  it('says with --help what it does and which options it has', async () => {
    const { code, out } = await run('replay', '--help');
    expect(code).toBe(0);
    expect(out).toContain('Usage: npm run cmd -- replay <webhook id> | --all');
    expect(out).toContain('--dry-run  counts the deliveries only');
  });
});

describe('tenant:list', () => {
  it('goes past a connection pooler, by DATABASE_DIRECT_URL', async () => {
    const pooler = 'postgresql://eas@127.0.0.1:1/eas';
    const line = ['tenant:list', '--json'];
    const { code, out } = await runFromTerminal(line, {
      databaseUrl: pooler,
      databaseDirectUrl: test.url,
      encryptionKeys,
    });
    expect([code, JSON.parse(out)]).toEqual([0, expect.arrayContaining([expect.objectContaining({ slug })])]);
  });

  it('lists every tenant', async () => {
    const { out } = await run('tenant:list', '--json');
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ slug: 'default' }),
        expect.objectContaining({ id: ctx.tenantId, slug }),
      ]),
    );
    expect((await run('tenant:list')).out).toMatch(new RegExp(`^${ctx.tenantId}\\s+${slug}\\s`, 'm'));
  });
});

describe('API keys', () => {
  it('are listed without their secrets, and revoked for good with an entry in the audit log', async () => {
    const { key, id } = await createApiKey(ctx, { name: 'Nightly', scopes, agentId: null });
    const listed = await run('key:list', '--tenant', slug, '--json');
    expect(JSON.parse(listed.out)).toEqual([expect.objectContaining({ id, name: 'Nightly', status: 'active' })]);
    expect(listed.out).not.toContain(key);
    expect(await run('key:revoke', id, '--tenant', slug)).toEqual({ code: 0, out: `revoked ${id}\n`, err: '' });
    expect((await run('key:list', '--tenant', slug)).out).toContain('revoked');
    const { items } = await listAudit(ctx, {}, pageOf({}));
    expect(items).toContainEqual(expect.objectContaining({ action: 'api_key.revoked', target_id: id }));
  });

  it('of another tenant are not revoked', async () => {
    const { id } = await createApiKey(ctx, { name: 'Nightly', scopes, agentId: null });
    expect(await run('key:revoke', id)).toMatchObject({ code: 1, err: `Unknown key: ${id}.\n` });
  });
});

/** Events that a consumer gave up on. */
async function makeDead(count: number): Promise<string[]> {
  const data = { inbound_event_id: 'inb_1' };
  const ids = await ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, () =>
      append(tx, { type: 'inbound.received', at: ctx.clock.now(), data, facts: null }),
    ),
  );
  await ctx.db.query(
    `UPDATE outbox SET dead_at = app_now(), attempts = 10, last_error = 'broken' WHERE tenant_id = $1`,
    [ctx.tenantId],
  );
  return ids;
}

const deadCount = async () =>
  (await ctx.db.query('SELECT 1 FROM outbox WHERE tenant_id = $1 AND dead_at IS NOT NULL', [ctx.tenantId])).length;

describe('dead events', () => {
  it('are listed with the last error and retried by name, and the operator finds that in the audit log', async () => {
    const [first = '', second = ''] = await makeDead(2);
    const { out } = await run('dead:list', '--json');
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tenant_id: ctx.tenantId, event_id: first, last_error: 'broken', attempts: 10 }),
      ]),
    );
    expect((await run('dead:list', '--limit', '1')).out.trim().split('\n')).toHaveLength(2);
    expect(await run('dead:retry', first, '--consumer', 'unknown')).toMatchObject({ code: 1 });
    expect(await run('dead:retry', first)).toEqual({ code: 0, out: 'retried 1\n', err: '' });
    expect(await deadCount()).toBe(1);
    const { items } = await listAudit(test.context(), {}, pageOf({}));
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'dead_events.retried', data: { count: 1, event_ids: [first] } }),
    );
    expect((await run('dead:retry', second, '--consumer', 'inbound.apply')).out).toBe('retried 1\n');
  });

  it('are all retried with --all, also more than one call takes', async () => {
    await makeDead(1_003);
    expect((await run('dead:retry', '--all')).out).toBe('retried 1003\n');
    expect(await deadCount()).toBe(0);
    expect((await run('dead:retry', '--all')).out).toBe('retried 0\n');
  });
});

const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };

/** A webhook with this many dead deliveries. */
async function makeWebhook(dead: number): Promise<string> {
  const body = { url: 'https://example.com/hook', events: ['task.*'] };
  const { id } = await createEndpoint(ctx, { body: createWebhookBody.parse(body), scopes }, rules);
  await ctx.db.query(
    `WITH made AS (SELECT 'evt_' || ulid_prefix(app_now() - interval '1 hour') || lpad(n::text, 16, '0') AS event_id, n
      FROM generate_series(1, $3) AS n), e AS (
      INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
      SELECT $1, event_id, 'task.created', app_now(), '{}' FROM made ON CONFLICT DO NOTHING)
     INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, created_at)
     SELECT $1, event_id, $2::text, 'dlv_' || right($2::text, 8) || n, 'dead', app_now() FROM made`,
    [ctx.tenantId, id, dead],
  );
  return id;
}

const replays = () =>
  ctx.db.query<{ id: string; total: number }>('SELECT id, total FROM replays WHERE tenant_id = $1', [ctx.tenantId]);

describe('replay', () => {
  it('counts with --dry-run, and starts what POST …/replays starts', async () => {
    const id = await makeWebhook(3);
    const preview = await run('replay', id, '--tenant', slug, '--dry-run', '--json');
    expect(JSON.parse(preview.out)).toEqual([{ webhook_id: id, total: 3, replay_id: null, problem: null }]);
    expect(await replays()).toEqual([]);
    const { out, code } = await run('replay', id, '--tenant', slug, '--json');
    const [started] = await replays();
    expect([code, JSON.parse(out)]).toEqual([0, [{ webhook_id: id, total: 3, replay_id: started?.id, problem: null }]]);
    expect(await run('replay', id, '--tenant', slug)).toMatchObject({ code: 1, err: expect.stringMatching(/replay/) });
  });

  it('starts one for each webhook of the tenant that has any, and says which could not be started', async () => {
    const [one, none, running] = [await makeWebhook(2), await makeWebhook(0), await makeWebhook(1)];
    await run('replay', running, '--tenant', slug);
    const { out, code } = await run('replay', '--all', '--tenant', slug, '--json');
    const rows = JSON.parse(out) as { webhook_id: string }[];
    expect(code).toBe(1);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          webhook_id: one,
          total: 2,
          replay_id: expect.stringMatching(/^rpl_/),
          problem: null,
        }),
        expect.objectContaining({ webhook_id: none, total: 0, replay_id: null, problem: null }),
        expect.objectContaining({ webhook_id: running, problem: expect.any(String) }),
      ]),
    );
  });

  it('is narrowed by time, type and status', async () => {
    const id = await makeWebhook(2);
    const totalOf = async (...args: string[]) =>
      (
        JSON.parse((await run('replay', id, '--tenant', slug, '--dry-run', '--json', ...args)).out) as [
          { total: number },
        ]
      )[0].total;
    expect(await totalOf('--event-types', 'task.created')).toBe(2);
    expect(await totalOf('--event-types', 'task.failed')).toBe(0);
    expect(await totalOf('--statuses', 'delivered,dead')).toBe(2);
    expect(await totalOf('--statuses', 'delivered')).toBe(0);
    expect(await totalOf('--to', new Date(Date.now() - 7_200_000).toISOString())).toBe(0);
  });
});

describe('reconcile', () => {
  it('starts what POST …/reconcile starts, once', async () => {
    const body = { type: 'taskplatform', secret: 'a secret of the platform', token: 'pk_token' } as const;
    const { id } = (await createIntegration(ctx, body)).integration;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { out } = await run('reconcile', id, '--tenant', slug, '--since', since, '--json');
    expect(JSON.parse(out)).toMatchObject({ integration_id: id, status: 'running' });
    const again = await run('reconcile', id, '--tenant', slug, '--since', since);
    expect([again.code, again.err.trim().split('\n')]).toEqual([1, [expect.stringMatching(/reconciliation/)]]);
  });
});
