import type { Database } from './database.ts';
import { tryLockName } from './transactions/locks.ts';
import type { Tx } from './transactions/tx.ts';

/** Maximum number of consecutive runs of a sweep. */
const maxRuns = 20;

/**
 * Runs a sweep that handles one item until it returns undefined. Each run is a transaction, so a later failure does not
 * undo earlier runs.
 */
export async function sweepEach(database: Database, sweep: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let run = 0; run < maxRuns; run += 1) if ((await database.inTransaction('', sweep)) === undefined) return;
}

/** Runs a sweep in a transaction, unless another process runs the sweep of this `name`; returns undefined then. */
export function sweepAlone<T>(
  database: Pick<Database, 'inTransaction'>,
  name: string,
  sweep: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  return database.inTransaction('', async (tx) =>
    (await tryLockName(tx.db, `sweep ${name}`)) ? sweep(tx) : undefined,
  );
}
