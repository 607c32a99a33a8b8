import type { DbScope } from '@eas/db';
import { isOpenAndDatedSql } from './facts/open-sql.ts';
import type { Rollup } from './facts/rollup.ts';

/** "" is the role of tasks without one. */
export type RoleRollup = Rollup & { role: string };

const readSql = `
  WITH agent_roles AS (
    SELECT role FROM analytics_agent_roles WHERE tenant_id = $1 AND ($4::text IS NULL OR role = $4)
  ), sums AS (
    SELECT role, sum(total) AS total, sum(completed) AS completed, sum(in_progress) AS in_progress,
           sum(completion_ms)::bigint AS completion_ms, sum(completion_count) AS completion_count,
           sum(quality_total) AS quality_total, sum(quality_count) AS quality_count,
           sum(clarity_total) AS clarity_total, sum(clarity_count) AS clarity_count
    FROM analytics_daily_rollups
    WHERE tenant_id = $1 AND day BETWEEN ($2::timestamptz AT TIME ZONE 'UTC')::date AND ($3::timestamptz AT TIME ZONE 'UTC')::date
      AND ($4::text IS NULL OR role = $4)
    GROUP BY role HAVING sum(total) > 0
  ), mark AS MATERIALIZED (
    SELECT coalesce((SELECT counted_to FROM analytics_overdue_marks WHERE tenant_id = $1), '-infinity') AS counted_to
  ), late AS (
    SELECT coalesce((
      SELECT sum(n) FROM analytics_overdue
      WHERE tenant_id = $1 AND day >= ($2::timestamptz AT TIME ZONE 'UTC')::date AND ($4::text IS NULL OR role = $4)
    ), 0) + coalesce((
      SELECT sum(CASE WHEN due_date < app_now() THEN 1 ELSE -1 END) FROM analytics_task_facts
      WHERE tenant_id = $1 AND ${isOpenAndDatedSql} AND due_date >= (SELECT least(counted_to, app_now()) FROM mark)
        AND due_date < (SELECT greatest(counted_to, app_now()) FROM mark)
        AND created_at >= $2 AND ($4::text IS NULL OR role = $4)
    ), 0) AS overdue
  )
  SELECT role, coalesce(total, 0) AS "total", coalesce(completed, 0) AS "completed",
    coalesce(in_progress, 0) AS "inProgress", coalesce(completion_ms, 0) AS "completionMs",
    coalesce(completion_count, 0) AS "completionCount", coalesce(quality_total, 0) AS "qualityTotal",
    coalesce(quality_count, 0) AS "qualityCount", coalesce(clarity_total, 0) AS "clarityTotal",
    coalesce(clarity_count, 0) AS "clarityCount", late.overdue
  FROM agent_roles FULL JOIN sums USING (role) CROSS JOIN late
  ORDER BY role`;

/**
 * Sums per role over tasks created on the UTC days from `start` to `end`: a row for every role with an agent or a
 * task. `overdue` counts those of them that are past their due date and not final. `start` is the start of a UTC day.
 *
 * The overdue ones up to a moment are counted already. Those that became due since then are counted one by one; if a clock
 * was ahead, those that are not due yet are subtracted.
 */
export async function readPerformance(
  { db, tenantId }: DbScope,
  { start, end, role }: { start: Date; end: Date; role?: string },
): Promise<{ roles: RoleRollup[]; overdue: number }> {
  const rows = await db.query<RoleRollup & { overdue: number }>(readSql, [tenantId, start, end, role ?? null]);
  // Without any row there is no task either, so none is overdue.
  return { roles: rows.map(({ overdue: _, ...rollup }) => rollup), overdue: rows[0]?.overdue ?? 0 };
}
