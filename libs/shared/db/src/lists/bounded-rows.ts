export type BoundedRows = {
  /** SQL after FROM, and the condition on the rows; both may name columns of the statement around them. */
  from: string;
  where: string;
  /** What orders the rows, unique among them. */
  key: string;
  /** Which rows come first when there are more than fit: the newest (the largest keys) or the oldest. */
  first: 'newest' | 'oldest';
  json: string;
  maxRows: number;
  /** Maximum size of all rows as JSON. */
  maxBytes: number;
  /** The first row is always included, however large, so that readers can continue after it. */
  hasOne?: boolean;
};

/**
 * SQL of {"rows": […], "isCut": …}: as many rows as fit, oldest first, and whether there are more. Rows are read one by
 * one, so that rows that do not fit are not read; an index must have `key` after the columns that `where` fixes.
 */
export function boundedRowsSql(bounds: BoundedRows): string {
  const { from, where, key, first, json, maxRows, maxBytes, hasOne = false } = bounds;
  const [order, beyond] = first === 'newest' ? ['DESC', '<'] : ['ASC', '>'];
  const nextSql = (condition: string) => `
    SELECT ${key} AS key, (${json})::text AS entry FROM ${from} WHERE ${where}${condition} ORDER BY ${key} ${order} LIMIT 1`;
  const fits = `n <= ${maxRows} AND bytes <= ${maxBytes}`;
  const isShown = hasOne ? `(n = 1 OR ${fits})` : `(${fits})`;
  return `(
  WITH RECURSIVE walked (key, entry, n, bytes) AS (
    SELECT key, entry, 1, octet_length(entry) FROM (${nextSql('')}) AS first
    UNION ALL
    SELECT next.key, next.entry, n + 1, bytes + octet_length(next.entry)
    FROM walked, LATERAL (${nextSql(` AND ${key} ${beyond} walked.key`)}) AS next WHERE ${isShown}
  )
  SELECT json_build_object('rows', coalesce(json_agg(entry::json ORDER BY key) FILTER (WHERE ${isShown}), '[]'),
    'isCut', coalesce(bool_or(NOT ${isShown}), false))
  FROM walked)`;
}
