import { columnOf, type DbScope } from '@eas/db';
import { type Rollup, rollupFields } from './rollup.ts';

/** `day` as YYYY-MM-DD. */
export type DayRollup = Rollup & { day: string; role: string };

/** From rows with the state of a task each. */
export const countSql = `
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, role, count(*) AS total,
    count(*) FILTER (WHERE status = 'completed') AS completed,
    count(*) FILTER (WHERE status = 'in_progress') AS "inProgress",
    coalesce(sum(round(extract(epoch FROM completed_at - first_claimed_at) * 1000))
      FILTER (WHERE status = 'completed'), 0)::bigint AS "completionMs",
    count(first_claimed_at) FILTER (WHERE status = 'completed') AS "completionCount",
    coalesce(sum(code_quality) FILTER (WHERE status = 'completed'), 0) AS "qualityTotal",
    count(code_quality) FILTER (WHERE status = 'completed') AS "qualityCount",
    coalesce(sum(requirements_clarity) FILTER (WHERE status = 'completed'), 0) AS "clarityTotal",
    count(requirements_clarity) FILTER (WHERE status = 'completed') AS "clarityCount"`;

const recountSql = `
  ${countSql} FROM analytics_task_view WHERE tenant_id = $1
  GROUP BY 1, 2 ORDER BY 1, role COLLATE "C"`;

/** What the roll-ups would be if they were counted again from the tasks themselves. Reads every task. */
export function recount({ db, tenantId }: DbScope): Promise<DayRollup[]> {
  return db.query<DayRollup>(recountSql, [tenantId]);
}

/** Of a table with the columns of the roll-ups. */
export const dayRollupsSql = `
  to_char(day, 'YYYY-MM-DD') AS day, role, ${rollupFields.map((field) => `${columnOf(field)} AS "${field}"`).join(', ')}`;

const columns = rollupFields.map(columnOf).join(', ');

const rollupsSql = `
  SELECT ${dayRollupsSql} FROM analytics_daily_rollups AS r
  WHERE tenant_id = $1 AND (${columns}) <> (${rollupFields.map(() => '0').join(', ')})
    AND r.day >= coalesce($2::date, '-infinity') AND r.day < coalesce($3::date, 'infinity')
  ORDER BY r.day, role COLLATE "C"`;

/** The current roll-ups of all days, or of those from one on and before another, without those that are back to zero. */
export function readRollups(
  { db, tenantId }: DbScope,
  { from, before }: { from?: string | null; before?: string | null } = {},
): Promise<DayRollup[]> {
  return db.query<DayRollup>(rollupsSql, [tenantId, from ?? null, before ?? null]);
}
