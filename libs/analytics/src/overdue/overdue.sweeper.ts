import { type Db, type DbScope, inIndexOrderSql, type Tx } from '@eas/db';
import { lockFacts } from '../facts/fact.store.ts';
import { isOpenAndDatedSql } from '../facts/open-sql.ts';

/** A task is counted among those that were due this long after it was due; until then it is counted when asked. */
const graceSql = `interval '1 minute'`;
/** How many tasks are counted at once, unless more are due at the same time. */
const batchTasks = 5_000;

const nextSql = `
  SELECT next_due_at + ${graceSql} AS at FROM analytics_overdue_marks
  WHERE next_due_at IS NOT NULL ORDER BY next_due_at LIMIT 1`;

/** When a sweep has something to count; null: no task is due at any time. */
export async function nextOverdueAt(db: Db): Promise<Date | null> {
  const [next] = await db.query<{ at: Date }>(nextSql);
  return next?.at ?? null;
}

const tenantSql = `
  SELECT tenant_id AS "tenantId" FROM analytics_overdue_marks
  WHERE next_due_at < app_now() - ${graceSql} ORDER BY next_due_at LIMIT 1`;

const moveSql = `
  WITH mark AS MATERIALIZED (
    SELECT counted_to AS since, coalesce((
      SELECT due_date + interval '1 ms' FROM analytics_task_facts
      WHERE tenant_id = $1 AND ${isOpenAndDatedSql} AND due_date >= m.counted_to AND due_date < app_now()
      ORDER BY due_date OFFSET ${batchTasks - 1} LIMIT 1
    ), greatest(m.counted_to, app_now())) AS upto
    FROM analytics_overdue_marks m WHERE tenant_id = $1
  ), counted AS (
    INSERT INTO analytics_overdue AS r (tenant_id, day, role, n)
    SELECT $1, (created_at AT TIME ZONE 'UTC')::date AS day, role, count(*) FROM analytics_task_facts
    WHERE tenant_id = $1 AND ${isOpenAndDatedSql} AND due_date >= (SELECT since FROM mark) AND due_date < (SELECT upto FROM mark)
    GROUP BY day, role ORDER BY day, role
    ON CONFLICT (tenant_id, day, role) DO UPDATE SET n = r.n + excluded.n
  )
  UPDATE analytics_overdue_marks SET counted_to = mark.upto, next_due_at = (
    SELECT due_date FROM analytics_task_facts WHERE tenant_id = $1 AND ${isOpenAndDatedSql} AND due_date >= mark.upto
    ORDER BY due_date LIMIT 1)
  FROM mark WHERE tenant_id = $1`;

/**
 * Counts the tasks of one tenant that have become due, so that they need not be counted again each time they are asked
 * for. Returns the tenant, undefined if there was nothing to count.
 */
export async function sweepOverdue({ db }: Pick<Tx, 'db'>): Promise<string | undefined> {
  await db.query(inIndexOrderSql);
  const [next] = await db.query<{ tenantId: string }>(tenantSql);
  if (!next) return undefined;
  await lockFacts({ db, tenantId: next.tenantId });
  await db.query(moveSql, [next.tenantId]);
  return next.tenantId;
}

const forgetSql = `
  WITH forgotten AS (DELETE FROM analytics_overdue WHERE tenant_id = $1)
  UPDATE analytics_overdue_marks SET counted_to = '-infinity', next_due_at = 'epoch' WHERE tenant_id = $1`;

/** Has all overdue tasks of a tenant counted again. Needs the lock of the tenant. */
export async function forgetOverdue({ db, tenantId }: DbScope): Promise<void> {
  await db.query(forgetSql, [tenantId]);
}
