import { type Db, removeInBatches } from '@eas/db';

/** Deletes all responses older than 24 hours, of all tenants. Returns how many. */
export function sweepKeptResponses(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'idempotency_records',
    where: `created_at < app_now() - interval '24 hours'`,
    orderBy: 'created_at',
    limit: 5_000,
    signal,
  });
}
