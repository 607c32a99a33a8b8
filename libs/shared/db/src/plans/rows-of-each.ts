export type RowLock = `FOR ${'' | 'NO KEY '}UPDATE${'' | ' SKIP LOCKED'}`;

/** `where` has columns of the rows before it. `outer`: a row that has none stays, with NULL. */
type RowsOfEach = { from: string; where: string; select?: string; lock?: RowLock; outer?: boolean };

/**
 * `where` and `orderBy` are an index that finds the rows without reading others. `limit` may be a parameter, a column or
 * ALL. `skip`: rows that are left out before.
 */
type FirstRows = RowsOfEach & { orderBy: string; limit?: number | string; skip?: number };

/**
 * A FROM item that follows others: for each of their rows the row of a table that has its key, looked up one by one,
 * whatever the planner takes the sizes of the tables to be. LIMIT keeps it from making a join of them.
 */
export const rowByKeySql = (as: string, rows: RowsOfEach): string => lateralSql(as, rows, 'LIMIT 1');

/** The same for all rows that have the key. OFFSET keeps it from making a join of them. */
export const rowsByKeySql = (as: string, rows: RowsOfEach): string => lateralSql(as, rows, 'OFFSET 0');

/**
 * The same for the first rows of each in the order of an index, by default one: however many rows one has, the others
 * are not read. A window function or DISTINCT ON would read all of them.
 */
export const firstRowsSql = (as: string, { orderBy, limit = 1, skip = 0, ...rows }: FirstRows): string =>
  lateralSql(as, rows, `ORDER BY ${orderBy} LIMIT ${limit}${skip > 0 ? ` OFFSET ${skip}` : ''}`);

function lateralSql(as: string, { from, where, select = '*', lock, outer = false }: RowsOfEach, end: string): string {
  const rowsSql = `(SELECT ${select} FROM ${from} WHERE ${where} ${end}${lock ? ` ${lock}` : ''}) AS ${as}`;
  return outer ? `LEFT JOIN LATERAL ${rowsSql} ON true` : `CROSS JOIN LATERAL ${rowsSql}`;
}
