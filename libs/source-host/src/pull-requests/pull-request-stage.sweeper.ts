import { type Db, removeInBatches } from '@eas/db';

/**
 * Forgets what happened to pull requests more than this many days ago. Until then a stage is not published twice. Gives how
 * many.
 */
export function sweepOldStages(db: Db, days: number, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'pull_request_stages',
    where: `at < app_now() - $2 * interval '1 day'`,
    orderBy: 'at',
    values: [days],
    signal,
  });
}
