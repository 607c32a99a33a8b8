/**
 * SQL of a recursive query that goes after WITH RECURSIVE: the distinct values of a column, each found by one look-up
 * in an index that begins with it. However many rows have a value, only the first is read; DISTINCT reads all of them.
 *
 * @param name of the query; its column has the name of the table's column.
 * @param where the condition of a partial index, where that is to be used.
 */
export function distinctKeysSql(name: string, source: { from: string; column: string; where?: string }): string {
  const { from, column, where = 'true' } = source;
  const nextSql = (after: string) => `SELECT ${column} FROM ${from} WHERE ${where}${after} ORDER BY ${column} LIMIT 1`;
  return `${name} AS (
    (${nextSql('')})
    UNION ALL
    SELECT next.${column} FROM ${name} CROSS JOIN LATERAL (${nextSql(` AND ${column} > ${name}.${column}`)}) AS next
  )`;
}
