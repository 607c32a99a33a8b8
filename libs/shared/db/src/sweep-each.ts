import type { Database } from './database.ts';
import { tryLockName } from './transactions/locks.ts';
import type { Tx } from './transactions/tx.ts';

/** Runs of a sweep that follow each other at most. */
const maxRuns = 20;

/**
 * Runs a sweep that takes one thing until it finds none, which it says by undefined. One transaction each: what was done
 * for one is kept whatever becomes of the others.
 */
export async function sweepEach(database: Database, sweep: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let run = 0; run < maxRuns; run += 1) if ((await database.inTransaction('', sweep)) === undefined) return;
}

/** Runs a sweep in a transaction, unless another process is at it: `name` is of what they share. Undefined then. */
export function sweepAlone<T>(database: Database, name: string, sweep: (tx: Tx) => Promise<T>): Promise<T | undefined> {
  return database.inTransaction('', async (tx) =>
    (await tryLockName(tx.db, `sweep ${name}`)) ? sweep(tx) : undefined,
  );
}
