import { type Db, earliestAt } from '@eas/db';

/** Deltas aggregated by one statement: it holds a row lock on each of the counts that they change. */
const batchSize = 5_000;
/**
 * An arbitrary key: the aggregating process holds this advisory lock, so that two do not wait for each other's counts.
 */
const aggregateLock = 7_261_534;

const aggregateSql = `
  WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${aggregateLock}) AS is_ours),
  taken AS (
    DELETE FROM task_count_deltas WHERE (tenant_id, id) IN (
      SELECT tenant_id, id FROM task_count_deltas WHERE (SELECT is_ours FROM turn) LIMIT ${batchSize}
    ) RETURNING tenant_id, status, role, n
  ), aggregated AS (
    INSERT INTO task_counts AS c (tenant_id, status, role, n)
    SELECT tenant_id, status, role, sum(n) FROM taken GROUP BY tenant_id, status, role
    ON CONFLICT (tenant_id, status, role) DO UPDATE SET n = c.n + excluded.n
  )
  SELECT count(*) AS aggregated FROM taken`;

const totalsSql = 'SELECT status, sum(n)::int8 AS tasks FROM task_counts GROUP BY status';

/** Tasks of all tenants by status, without the changes of the last second: one row read per tenant, status and role. */
export function readTaskTotals(db: Db): Promise<{ status: string; tasks: number }[]> {
  return db.query(totalsSql);
}

/**
 * Aggregates deltas, so that totals stay a sum over few rows. Each statement commits by itself; no reader misses a
 * delta. Returns how many.
 */
export async function aggregateTaskCounts(db: Db): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await db.query<{ aggregated: number }>(aggregateSql);
    const aggregated = row?.aggregated ?? 0;
    total += aggregated;
    if (aggregated < batchSize) return total;
  }
}

/** When changes of counts can be aggregated next: at once, if there are any. */
export const nextTaskCountAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT app_now() FROM task_count_deltas LIMIT 1');
