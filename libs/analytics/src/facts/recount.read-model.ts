import type { DbScope } from '@eas/db';
import type { Rollup } from './rollup.ts';

/** `day` as YYYY-MM-DD. */
export type DayRollup = Rollup & { day: string; role: string };

const columns = `total, completed, "inProgress", "completionMs", "completionCount",
  "qualityTotal", "qualityCount", "clarityTotal", "clarityCount"`;

const recountSql = `
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, role, count(*) AS total,
    count(*) FILTER (WHERE status = 'completed') AS completed,
    count(*) FILTER (WHERE status = 'in_progress') AS "inProgress",
    coalesce(sum(round(extract(epoch FROM completed_at - first_claimed_at) * 1000))
      FILTER (WHERE status = 'completed'), 0)::bigint AS "completionMs",
    count(first_claimed_at) FILTER (WHERE status = 'completed') AS "completionCount",
    coalesce(sum(code_quality) FILTER (WHERE status = 'completed'), 0) AS "qualityTotal",
    count(code_quality) FILTER (WHERE status = 'completed') AS "qualityCount",
    coalesce(sum(requirements_clarity) FILTER (WHERE status = 'completed'), 0) AS "clarityTotal",
    count(requirements_clarity) FILTER (WHERE status = 'completed') AS "clarityCount"
  FROM analytics_task_view WHERE tenant_id = $1
  GROUP BY 1, 2 ORDER BY 1, role COLLATE "C"`;

/** What the roll-ups would be if they were counted again from the tasks themselves. Reads every task. */
export function recount({ db, tenantId }: DbScope): Promise<DayRollup[]> {
  return db.query<DayRollup>(recountSql, [tenantId]);
}

const rollupsSql = `
  SELECT day, role, ${columns} FROM (
    SELECT to_char(day, 'YYYY-MM-DD') AS day, role, total, completed, in_progress AS "inProgress",
      completion_ms AS "completionMs", completion_count AS "completionCount", quality_total AS "qualityTotal",
      quality_count AS "qualityCount", clarity_total AS "clarityTotal", clarity_count AS "clarityCount"
    FROM analytics_daily_rollups WHERE tenant_id = $1) AS r
  WHERE (${columns}) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY day, role COLLATE "C"`;

/** The current roll-ups, without those that are back to zero. */
export function readRollups({ db, tenantId }: DbScope): Promise<DayRollup[]> {
  return db.query<DayRollup>(rollupsSql, [tenantId]);
}
