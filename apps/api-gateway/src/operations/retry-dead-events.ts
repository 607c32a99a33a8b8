import { recordAudit } from '@eas/access';
import { maxRetried } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { type DeadEventKey, readOutboxState, retryDeadEvents, retryOldestDead } from '@eas/queue';

/** Entries of the audit log name that many events. */
const maxNamed = 100;

/** Owes dead events again, of whatever tenant: those named, else the oldest. Both that and its entry in the audit log, or none. */
export function retryDead(
  ctx: UseCaseContext,
  keys: readonly DeadEventKey[] | undefined,
): Promise<{ retried: number; hasMore: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const retried = keys ? await retryDeadEvents(tx.db, keys) : await retryOldestDead(tx.db, maxRetried);
    const { dead } = await readOutboxState(tx.db);
    if (retried.length === 0) return { retried: 0, hasMore: dead > 0 };
    const eventIds = [...new Set(retried.map(({ eventId }) => eventId))].slice(0, maxNamed);
    const data = { count: retried.length, event_ids: eventIds };
    await recordAudit(tx, ctx.actor, { action: 'dead_events.retried', target: null, data });
    tx.notify('outbox', '');
    return { retried: retried.length, hasMore: dead > 0 };
  });
}
