import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench.ts';

export type Backlog = { pending: number; dead: number };

export async function countBacklog({ stores }: Bench): Promise<Backlog> {
  const [row] = await stores.database.db.query<Backlog>(
    'SELECT count(*) FILTER (WHERE dead_at IS NULL) AS pending, count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead FROM outbox',
  );
  return row ?? { pending: 0, dead: 0 };
}

/** What is pending by consumer: rows, how many of them are in a queue, most tries, an error. */
export async function listPending({ stores }: Bench): Promise<(string | number)[][]> {
  const rows = await stores.database.db.query<
    Record<'consumer' | 'error', string> & Record<'rows' | 'sent' | 'tries', number>
  >(
    `SELECT consumer, count(*)::int AS rows, count(sent_at)::int AS sent, max(attempts) AS tries, coalesce(max(last_error), '') AS error
     FROM outbox WHERE dead_at IS NULL GROUP BY consumer ORDER BY consumer`,
  );
  return rows.map(({ consumer, rows: count, sent, tries, error }) => [
    consumer,
    count,
    sent,
    tries,
    error.slice(0, 100),
  ]);
}

/** Waits until no event is pending. Returns the seconds, and the remaining rows when `limitSeconds` are over. */
export async function drainBacklog(bench: Bench, limitSeconds: number): Promise<{ seconds: number } & Backlog> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  for (;;) {
    const backlog = await countBacklog(bench);
    if (backlog.pending === 0 || seconds() > limitSeconds) return { seconds: seconds(), ...backlog };
    await sleep(backlog.pending > 5_000 ? 500 : 50);
  }
}

/** Waits until the apps that run have handled all they can, while others are stopped: nothing changes for a second. */
export async function othersAreDone(bench: Bench): Promise<void> {
  for (let [before, now] = [-1, await countBacklog(bench)]; now.pending !== before;) {
    before = now.pending;
    await sleep(1_000);
    now = await countBacklog(bench);
  }
}

/** Empties what scenarios fill, so that none measures another one's leftovers. */
export async function clearTables({ stores }: Bench): Promise<void> {
  await stores.database.db.query(
    `TRUNCATE tasks, task_labels, task_counts, task_count_deltas, task_timeline, leases, task_links, inbound_events, events, event_numbers, event_counters, event_cursors, outbox, deliveries,
       attempts, endpoints, integrations, analytics_task_facts, analytics_daily_rollups, analytics_throughput, analytics_durations, analytics_overdue, analytics_overdue_marks, idempotency_records, workflow_runs,
       run_steps, run_timeline, step_durations CASCADE`,
  );
  await stores.database.db.query('VACUUM ANALYZE');
}
