import type { Db } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { eventsAfter } from './event-number.read-model.ts';

const test = useTestDatabase();

/** Events of one tenant over the last 27 days: in this month and the last one, whatever the day. */
const fillSql = `
  WITH made AS (
    SELECT $1::text AS tenant_id, n,
      'evt_' || ulid_prefix(now() - (40000 - n) * interval '1 minute') || lpad(n::text, 16, '0') AS event_id
    FROM generate_series(1, 40000) AS n
  ), written AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
    SELECT tenant_id, event_id, 'task.commented', now(), '{"a":"some text, as long as events are"}' FROM made
  )
  INSERT INTO event_numbers (tenant_id, number, event_id) SELECT tenant_id, n, event_id FROM made`;

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Actual Rows': number };

/** Runs the statement as the read model wrote it, under a plan of its own or a generic one; gives what it touched. */
async function costOf(tenantId: string, after: number, mode: 'force_custom_plan' | 'force_generic_plan') {
  return test.database.inTransaction(tenantId, async (tx) => {
    let plan: Plan | undefined;
    const query = async (text: string, values: readonly unknown[] = []) => {
      await tx.db.query(`SET LOCAL plan_cache_mode = ${mode}`);
      const unprepared = { isPrepared: false };
      await tx.db.query(`PREPARE read (text, bigint, bigint) AS ${text}`, [], unprepared);
      const [asked, number, limit] = values as [string, number, number];
      const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE read ('${asked}', ${number}, ${limit})`;
      const [row] = await tx.db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain, [], unprepared);
      await tx.db.query('DEALLOCATE read', [], unprepared);
      plan = row?.['QUERY PLAN'][0]?.Plan;
      return [];
    };
    await eventsAfter({ db: { ...tx.db, query } as Db, tenantId }, after, 100);
    if (!plan) throw new Error('nothing was explained');
    return { rows: plan['Actual Rows'], pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
  });
}

it('events after a number are looked up one by one: a long history before and after them costs nothing', async () => {
  const { db } = test.database;
  const [tenantId, other] = [await test.createTenant(), await test.createTenant()];
  for (const id of [tenantId, other]) await db.query(fillSql, [id]);
  for (const hasStatistics of [false, true]) {
    if (hasStatistics) await db.query('ANALYZE events, event_numbers');
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const)
      for (const after of [0, 20_000, 39_900]) {
        const { rows, pages } = await costOf(tenantId, after, mode);
        expect(rows).toBe(100);
        expect(pages).toBeLessThan(1_000);
      }
    expect((await costOf(tenantId, 40_000, 'force_generic_plan')).pages).toBeLessThan(10);
  }
});

it('gives the events in the order of their numbers, each with its own', async () => {
  const tenantId = await test.createTenant();
  await test.database.db.query(fillSql, [tenantId]);
  const scope = { db: test.database.db, tenantId };
  expect((await eventsAfter(scope, 39_990, 5)).map(({ number }) => number)).toEqual([
    39_991, 39_992, 39_993, 39_994, 39_995,
  ]);
  expect((await eventsAfter(scope, 39_999, 5)).map(({ eventId }) => eventId.slice(-5))).toEqual(['40000']);
});
