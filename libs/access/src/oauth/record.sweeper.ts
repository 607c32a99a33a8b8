import { type Db, removeInBatches } from '@eas/db';

/** Deletes what has expired, of all tenants. Gives how many. */
export function sweepOauthRecords(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'oauth_records',
    where: 'expires_at < app_now()',
    orderBy: 'expires_at',
    signal,
  });
}
