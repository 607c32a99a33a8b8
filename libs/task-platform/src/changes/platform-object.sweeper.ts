import { type Db, removeInBatches } from '@eas/db';

/**
 * Forgets deletions of tasks never known, and changes of things that are no task, when no change has needed them for this
 * many days. Gives how many.
 */
export function sweepOldTombstones(db: Db, days: number, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'platform_objects',
    where: `needed_at < app_now() - $2 * interval '1 day'`,
    orderBy: 'needed_at',
    values: [days],
    signal,
  });
}
