/** `where` has a whole key, with columns of the rows before it. */
export type RowByKey = { from: string; where: string; select?: string; lock?: RowLock };

export type RowLock = `FOR ${'' | 'NO KEY '}UPDATE${'' | ' SKIP LOCKED'}`;

/**
 * A FROM item that follows others: for each of their rows the row of a table that has its key, looked up one by one,
 * whatever the planner takes the sizes of the tables to be. LIMIT keeps it from making a join of them.
 */
export function rowByKeySql(as: string, { from, where, select = '*', lock }: RowByKey): string {
  return `CROSS JOIN LATERAL (SELECT ${select} FROM ${from} WHERE ${where} LIMIT 1${lock ? ` ${lock}` : ''}) AS ${as}`;
}
