import { taskStatuses } from '@eas/contracts';
import type { Database } from '@eas/db';
import type { Metrics } from '@eas/runtime';
import { readTaskTotals } from '@eas/tasks';

/** The counts have a row for each tenant, status and role: not every scrape reads them. */
const totalsMs = 15_000;

/** Registers how many tasks there are, read when a scrape finds the last numbers too old. Once per registry. */
export function watchTasks(metrics: Metrics, { db }: Database): void {
  let readAt = -Infinity;
  metrics.gauge('eas_tasks', async (tasks) => {
    if (performance.now() - readAt < totalsMs) return;
    const totals = await readTaskTotals(db);
    readAt = performance.now();
    for (const status of taskStatuses) tasks.set({ status }, 0);
    for (const { status, tasks: count } of totals) tasks.set({ status }, count);
  });
}

/** Registers how leases end that no caller ended. Once per registry. */
export function countExpired(metrics: Metrics): Record<'lost' | 'unrevived', (ended: number) => void> {
  const expired = metrics.counter('eas_leases_expired_total');
  return {
    lost: (ended) => expired.inc({ reason: 'lost' }, ended),
    unrevived: (ended) => expired.inc({ reason: 'unrevived' }, ended),
  };
}
