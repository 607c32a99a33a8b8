import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../connection/db.ts';

/** Rows that one statement removes at most. */
const batchRows = 1_000;
/** Others get their turn between two batches. */
const pauseMs = 20;

export type Removal = {
  /** No partitioned one: rows are identified by their place, which only one partition knows. */
  table: string;
  /** What of it goes; `$2` and on are `values`. */
  where: string;
  values?: readonly unknown[];
  /** The order of the index that finds them without reading what stays. */
  orderBy?: string;
  /** Rows of a statement; 1,000. */
  limit?: number;
  /** Ends it between two statements. */
  signal?: AbortSignal | undefined;
};

/** Deletes all such rows, a batch in a statement, but for those that another transaction has locked. Gives how many. */
export function removeInBatches(db: Db, { table, where, values = [], orderBy, ...batches }: Removal): Promise<number> {
  const sql = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${where} ${orderBy ? `ORDER BY ${orderBy}` : ''} LIMIT $1 FOR UPDATE SKIP LOCKED
    )) RETURNING 1`;
  return inBatches(async (limit) => (await db.query(sql, [limit, ...values])).length, batches);
}

/** Works on so many rows at a time until it finds fewer. Gives how many there were in all. */
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
