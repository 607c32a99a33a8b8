import { maxRetried } from '@eas/contracts';
import type { Tx, UseCaseContext } from '@eas/db';
import { type DeadEventKey, retryDeadEvents, retryOldestDead } from './dead-event.sweeper.ts';
import { readOutboxState } from './outbox.sweeper.ts';

/** The audit log entry of a retry. */
type RetriedDead = { action: 'dead_events.retried'; target: null; data: { count: number; event_ids: string[] } };

export type RecordRetried = (tx: Tx, entry: RetriedDead) => Promise<void>;

/** Maximum number of events that an audit log entry names. */
const maxNamed = 100;

/**
 * Makes dead events of any tenant pending again: the named ones, otherwise the oldest. In one transaction with the
 * entry in the audit log.
 */
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
