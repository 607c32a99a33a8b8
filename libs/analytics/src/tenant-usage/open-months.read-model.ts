import type { DbScope } from '@eas/db';

/** `isOver`: nothing more is waited for in the month. */
export type OpenMonth = { month: string; isOver: boolean };

/** Deliveries of the last events of a month are retried for three days. */
const closedAfterSql = `interval '1 month 4 days'`;

const monthsSql = `
  SELECT to_char(at, 'YYYY-MM-DD') AS month, (at + ${closedAfterSql}) AT TIME ZONE 'UTC' <= app_now() AS "isOver"
  FROM (SELECT date_trunc('month', app_now() AT TIME ZONE 'UTC') AS month) AS current, generate_series(
    coalesce(
      (SELECT min(u.month) FROM tenant_usage u WHERE u.tenant_id = $1 AND u.closed_at IS NULL),
      (SELECT max(u.month) + interval '1 month' FROM tenant_usage u WHERE u.tenant_id = $1),
      (SELECT least(current.month, greatest(date_trunc('month', t.created_at AT TIME ZONE 'UTC'), first.month))
        FROM analytics_tenants t, (SELECT min(month) AS month FROM tenant_usage) AS first
        WHERE t.tenant_id = $1 AND first.month IS NOT NULL),
      current.month),
    current.month, interval '1 month') AS at
  ORDER BY at`;

/**
 * The months of a tenant that are not closed, from the one in which it was measured first. A new one has the month in which
 * it was created, but none from before anything was measured.
 */
export function readOpenMonths({ db, tenantId }: DbScope): Promise<OpenMonth[]> {
  return db.query<OpenMonth>(monthsSql, [tenantId]);
}
