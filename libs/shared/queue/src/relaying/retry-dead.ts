import { maxRetried } from '@eas/contracts';
import type { Tx, UseCaseContext } from '@eas/db';
import { type DeadEventKey, retryDeadEvents, retryOldestDead } from './dead-event.sweeper.ts';
import { readOutboxState } from './outbox.sweeper.ts';

/** What the audit log says of a retry. */
type RetriedDead = { action: 'dead_events.retried'; target: null; data: { count: number; event_ids: string[] } };

export type RecordRetried = (tx: Tx, entry: RetriedDead) => Promise<void>;

/** Entries of the audit log name this many events. */
const maxNamed = 100;

/** Owes dead events again, of whatever tenant: those named, else the oldest. Both that and its entry in the audit log, or none. */
export function retryDead(
  ctx: UseCaseContext,
  keys: readonly DeadEventKey[] | undefined,
  record: RecordRetried,
): Promise<{ retried: number; hasMore: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const retried = keys ? await retryDeadEvents(tx.db, keys) : await retryOldestDead(tx.db, maxRetried);
    const { dead } = await readOutboxState(tx.db);
    if (retried.length === 0) return { retried: 0, hasMore: dead > 0 };
    const eventIds = [...new Set(retried.map(({ eventId }) => eventId))].slice(0, maxNamed);
    const data = { count: retried.length, event_ids: eventIds };
    await record(tx, { action: 'dead_events.retried', target: null, data });
    tx.notify('outbox', '');
    return { retried: retried.length, hasMore: dead > 0 };
  });
}
