import type { Database } from './database.ts';
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
