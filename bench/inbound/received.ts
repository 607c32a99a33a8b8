import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../harness/bench.ts';

const patienceMs = 300_000;

/** Receipts of a run by result. `tasks`: created tasks; `doubled`: tasks that have more than one receipt. */
export type Received = { receipts: number; waiting: number; applied: number; tasks: number; doubled: number };

const receivedSql = `
  SELECT count(*)::int AS receipts, count(*) FILTER (WHERE status = 'received')::int AS waiting,
    count(*) FILTER (WHERE status = 'applied')::int AS applied,
    (count(*) - count(DISTINCT external_id))::int AS doubled,
    (SELECT count(*) FROM task_links WHERE starts_with(external_id, $1))::int AS tasks
  FROM inbound_events WHERE starts_with(external_id, $1) AND received_at >= $2`;

export async function countReceived({ stores }: Bench, run: string, since = new Date(0)): Promise<Received> {
  const [row] = await stores.database.db.query<Received>(receivedSql, [run, since]);
  if (!row) throw new Error('nothing was counted');
  return row;
}

/** Waits until no receipt is waiting to be applied. */
export async function waitUntilApplied(bench: Bench): Promise<void> {
  const waitingSql = `SELECT 1 FROM outbox WHERE consumer = 'inbound.apply' LIMIT 1`;
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(100))
    if ((await bench.stores.database.db.query(waitingSql)).length === 0) return;
  throw new Error(`receipts were still waiting to be applied after ${patienceMs} ms`);
}
