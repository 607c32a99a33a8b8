import { type Db, removeInBatches } from '@eas/db';

/** Deletes runners that were not seen for seven days. Returns how many. */
export function sweepOldRunners(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'runners',
    // The index finds them by the day.
    where: `last_seen_on <= (app_now() AT TIME ZONE 'UTC')::date - 7 AND last_seen_at < app_now() - interval '7 days'`,
    orderBy: 'last_seen_on',
    signal,
  });
}
