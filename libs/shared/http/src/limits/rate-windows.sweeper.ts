import { type Db, removeInBatches } from '@eas/db';

/** Windows that ended this long ago are over by the clock of every process. */
const restMs = 600_000;

/** Deletes windows that ended ten minutes ago or before. Returns how many. */
export function sweepRateWindows(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'rate_windows',
    where: 'expire < $2',
    orderBy: 'expire',
    values: [Date.now() - restMs],
    limit: 5_000,
    signal,
  });
}
