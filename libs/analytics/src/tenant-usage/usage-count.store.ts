import { type DbScope, inIndexOrderSql } from '@eas/db';

/** Rows of each kind that are counted in one transaction, and all others of the same id. */
const rowsAtOnce = 5_000;
/** Rows are counted when they are older than this: no transaction lasts as long, so none is committed before others. */
const delaySql = `interval '15 minutes'`;

/** What is counted row by row. `source` is in the table of counts; the views are in the migration. */
const sources = [
  { source: 'deliveries', view: 'analytics_deliveries', prefix: 'evt_' },
  { source: 'inbound_events', view: 'analytics_inbound_events', prefix: 'inb_' },
  { source: 'runs', view: 'analytics_runs', prefix: 'run_' },
] as const;

/** SQL: when a month (`$2`) begins, and when it is over. */
export const monthStartSql = `($2::date::timestamp AT TIME ZONE 'UTC')`;
export const monthEndSql = `(($2::date + interval '1 month') AT TIME ZONE 'UTC')`;
/** SQL: ids of the kind begin here at a moment. */
export const firstIdSql = (prefix: string, momentSql: string) => `'${prefix}' || ulid_prefix(${momentSql})`;

const chunkSql = ({ source, view, prefix }: (typeof sources)[number]) => `
  SELECT '${source}' AS source, known.position AS before, max(r.key) AS position, count(*) AS counted,
    count(*) FILTER (WHERE r.is_delivered) AS delivered, sum(r.tries) AS tries
  FROM (SELECT coalesce((
    SELECT position FROM tenant_usage_counts WHERE tenant_id = $1 AND month = $2 AND source = '${source}' AND pass = $3
  ), '') AS position) AS known
  CROSS JOIN LATERAL (
    SELECT key, is_delivered, tries FROM ${view}
    WHERE tenant_id = $1 AND key > greatest(known.position, ${firstIdSql(prefix, monthStartSql)})
      AND key < ${firstIdSql(prefix, `least(${monthEndSql}, app_now() - ${delaySql})`)}
    ORDER BY key FETCH FIRST ${rowsAtOnce} ROWS WITH TIES
  ) AS r GROUP BY 1, 2`;

// What another process has counted in the meantime is not counted again: its position has moved.
const countSql = `
  WITH chunk AS MATERIALIZED (${sources.map(chunkSql).join(' UNION ALL ')}
  ), moved AS (
    UPDATE tenant_usage_counts c SET position = chunk.position, counted = c.counted + chunk.counted,
      delivered = c.delivered + chunk.delivered, attempts = c.attempts + chunk.tries
    FROM chunk WHERE c.tenant_id = $1 AND c.month = $2 AND c.source = chunk.source AND c.pass = $3
      AND c.position = chunk.before
  ), begun AS (
    INSERT INTO tenant_usage_counts (tenant_id, month, source, pass, position, counted, delivered, attempts)
    SELECT $1, $2, source, $3, position, counted, delivered, tries FROM chunk WHERE before = ''
    ON CONFLICT DO NOTHING
  )
  SELECT coalesce(max(counted), 0) AS "mostCounted" FROM chunk`;

/**
 * Counts the next rows of a month that have no sums. In pass 1 rows count as they are then, in pass 2 once more from the
 * start of the month: by then rows may have changed, or come late. In a transaction. Returns whether there are more.
 */
export async function countUsageRows(
  { db, tenantId }: DbScope,
  { month, pass }: { month: string; pass: 1 | 2 },
): Promise<boolean> {
  // Pipelined.
  const [, [chunk]] = await Promise.all([
    db.query(inIndexOrderSql),
    db.query<{ mostCounted: number }>(countSql, [tenantId, month, pass]),
  ]);
  return (chunk?.mostCounted ?? 0) >= rowsAtOnce;
}
