import { type Db, removeInBatches } from '@eas/db';

const keptDays = 90;

/** Removes reconciliations that ended long ago. Gives how many. */
export function sweepOldReconciles(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'platform_reconciles',
    where: `finished_at < app_now() - interval '${keptDays} days'`,
    orderBy: 'finished_at',
    signal,
  });
}
