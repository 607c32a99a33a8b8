import type { UseCaseContext } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordHeartbeat } from '../../records/runners/runner.store.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { sweepOldRunners } from '../../sweeping/old-runner.sweeper.ts';
import { registerRunner } from './register-runner.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let id = '';

beforeAll(async () => {
  ctx = test.context({ tenantId: await test.createTenant(), actor: { id: 'key_1', isAdmin: true } });
  const agent = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
  const unknown = { os: null, preset: null, preset_title: null, agent_version: null, pid: null };
  const runner = { ...unknown, agent_id: agent.id, instance: 'one', host: 'h', version: '1', concurrency: 1 };
  ({ id } = (await registerRunner(ctx, runner)).body);
  const othersSql = `
    INSERT INTO runners (tenant_id, id, agent_id, instance, host, version, concurrency, created_at, last_seen_at, last_seen_on)
    SELECT $1, 'rnr_' || n, $2, n::text, 'h', '1', 1, at, at, (at AT TIME ZONE 'UTC')::date
    FROM generate_series(1, 1000) AS n, LATERAL (SELECT app_now() - n * interval '10 minutes' AS at) AS seen`;
  await ctx.db.query(othersSql, [ctx.tenantId, agent.id]);
  await ctx.db.query('ANALYZE runners');
});

const hotUpdates = `SELECT pg_stat_get_xact_tuples_hot_updated('runners'::regclass)::int AS n`;

describe('a heartbeat', () => {
  it('reads one row, and updates it in place without any index write', async () => {
    const read = await rowsReadBy({ database: test.database, tenantId: ctx.tenantId }, (scope) =>
      recordHeartbeat(scope, { id, ofAgent: null }, 1),
    );
    expect(read).toEqual({ runners: 1 });
    await ctx.inTransaction(async (tx) => {
      const count = async () => (await tx.db.query<{ n: number }>(hotUpdates))[0]?.n ?? 0;
      const before = await count();
      await recordHeartbeat(tx, { id, ofAgent: null }, 2);
      expect((await count()) - before).toBe(1);
    });
  });
});

describe('runners that were not seen for seven days', () => {
  it('are removed, and no others', async () => {
    await test.shiftClock(3 * 86_400 - 300);
    const leftOfFourDays = 4 * 24 * 6;
    expect(await sweepOldRunners(ctx.db)).toBe(1_000 - leftOfFourDays);
    const sql = `SELECT count(*)::int AS n FROM runners WHERE tenant_id = $1`;
    expect(await ctx.db.query(sql, [ctx.tenantId])).toEqual([{ n: 1 + leftOfFourDays }]);
    expect(await sweepOldRunners(ctx.db)).toBe(0);
    await test.shiftClock(0);
  });
});
