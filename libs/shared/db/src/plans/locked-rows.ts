/** `limit` may be a parameter. `orderBy`: the order of an index that finds the rows without reading others. */
export type LockedRows = {
  table: string;
  where: string;
  orderBy?: string;
  limit: string | number;
  /** `no key`: rows that only columns outside of keys are changed in. */
  lock?: 'no key' | 'any';
};

/**
 * Condition on rows that are found in the order of an index, locked, and then changed by their place (`ctid`): a join or
 * IN would be planned by the sizes that the tables had. Rows that another transaction has locked are left out. Not for
 * partitioned tables: a place is unique only within a partition.
 */
export const isLockedRowSql = (rows: LockedRows): string => `ctid = ANY (ARRAY(${lockedRowsSql(rows)}))`;

function lockedRowsSql({ table, where, orderBy, limit, lock = 'any' }: LockedRows): string {
  const order = orderBy === undefined ? '' : `ORDER BY ${orderBy} `;
  const locking = lock === 'any' ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
  return `SELECT ctid FROM ${table} WHERE ${where} ${order}LIMIT ${limit} ${locking} SKIP LOCKED`;
}
