import { type Consumer, jobOf, type Send, type StoredEvent, typesFor, wantsEvent } from '@eas/contracts';
import {
  contextInTransaction,
  inSavepoint,
  isDatabaseUnavailable,
  lockEventCursor,
  moveEventCursor,
  readEventsAfter,
  requeueEvents,
  type Tx,
  type UseCaseContext,
} from '@eas/db';
import { againAfterMs, handleEvents } from './handle-events.ts';
import type { EventConsumer } from './handlers.ts';

/** Delay before a consumer tries again while another process reads the events of the tenant. */
const lockedMs = 50;

/** `isAgain`: an earlier try may have ended its process. */
type Wake = { eventId: string; isAgain: boolean };

/**
 * Has a consumer process the events that have a number since the last time. Its cursor moves with the effect, so each is
 * processed once. What fails is left to the consumer of single events, and after a lost try all are, so that a bad event
 * holds up no others. It is due again while there is more, or while another process reads.
 */
export async function follow(
  ctx: UseCaseContext,
  tx: Tx,
  consumer: EventConsumer,
  { eventId, isAgain }: Wake,
): Promise<{ count: number; then: Send[] }> {
  const name = consumer.consumer;
  const from = await lockEventCursor(tx, name);
  if (from === undefined) {
    await requeueEvents(tx, name, { eventIds: [eventId], afterMs: lockedMs });
    return { count: 0, then: [] };
  }
  const { events: read, to, isMore } = await readEventsAfter(tx, from, typesFor(name));
  const events = read.filter((event) => wantsEvent(name, event));
  const then = isAgain ? await leave(tx, name, events) : await handleAll({ ctx, consumer }, tx, events);
  await moveEventCursor(tx, name, to);
  if (isMore) {
    await requeueEvents(tx, name, { eventIds: [eventId], afterMs: 0 });
    tx.notify('outbox', '');
  }
  return { count: events.length, then };
}

async function handleAll(
  work: { ctx: UseCaseContext; consumer: EventConsumer },
  tx: Tx,
  events: StoredEvent[],
): Promise<Send[]> {
  if (events.length === 0) return [];
  const { ctx, consumer } = work;
  try {
    return await inSavepoint(tx, async (inner) => {
      const { then, again } = await handleEvents(contextInTransaction(ctx, inner), consumer, events);
      const left = events.filter(({ eventId }) => again.includes(eventId));
      await leave(inner, consumer.consumer, left, againAfterMs);
      return then;
    });
  } catch (error) {
    if (isDatabaseUnavailable(error) || ctx.signal.aborted) throw error;
    if (events.length > 1) {
      const half = Math.ceil(events.length / 2);
      return [
        ...(await handleAll(work, tx, events.slice(0, half))),
        ...(await handleAll(work, tx, events.slice(half))),
      ];
    }
    const fields = { err: error, consumer: consumer.consumer, eventId: events[0]?.eventId, tenantId: ctx.tenantId };
    ctx.logger.warn(fields, 'event failed with others, is tried alone');
    return leave(tx, consumer.consumer, events);
  }
}

async function leave(tx: Tx, consumer: Consumer, events: readonly StoredEvent[], afterMs = 0): Promise<Send[]> {
  const leavesTo = jobOf(consumer).follows?.leavesTo as Consumer;
  await requeueEvents(tx, leavesTo, { eventIds: events.map(({ eventId }) => eventId), afterMs });
  return [];
}
