import { type Db, removeInBatches } from '@eas/db';

/** Forgets clicks whose timestamp is refused anyway: gives how many. */
export function removeOldClicks(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'chat_clicks',
    where: `received_at < app_now() - interval '1 day'`,
    orderBy: 'received_at',
    signal,
  });
}
