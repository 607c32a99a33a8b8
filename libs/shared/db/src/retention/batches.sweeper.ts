import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../connection/db.ts';
import { isLockedRowSql } from '../plans/locked-rows.ts';

/** Maximum number of rows that one statement removes. */
const batchRows = 1_000;
/** Pause between two batches, for other work. */
const pauseMs = 20;

export type Removal = {
  /** Not a partitioned one. */
  table: string;
  /** The rows to delete; `$2` and on are `values`. */
  where: string;
  values?: readonly unknown[];
  /** The order of an index that finds them without reading other rows. */
  orderBy?: string;
  /** Rows of a statement; 1,000. */
  limit?: number;
  /** Ends it between two statements. */
  signal?: AbortSignal | undefined;
};

/** Deletes all such rows in batches, except those that another transaction has locked. Returns their number. */
export function removeInBatches(db: Db, { table, where, values = [], orderBy, ...batches }: Removal): Promise<number> {
  const rows = { table, where, limit: '$1', ...(orderBy === undefined ? {} : { orderBy }) };
  const sql = `DELETE FROM ${table} WHERE ${isLockedRowSql(rows)} RETURNING 1`;
  return inBatches(async (limit) => (await db.query(sql, [limit, ...values])).length, batches);
}

/** Processes batches of rows until one is not full. Returns the total number of rows. */
export async function inBatches(
  workSome: (limit: number) => Promise<number>,
  { limit = batchRows, signal }: Pick<Removal, 'limit' | 'signal'>,
): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const some = await workSome(limit);
    total += some;
    if (some < limit) break;
    await pause(pauseMs);
  }
  return total;
}
