import type { Send } from '@eas/contracts';
import { contextInTransaction, postponeOwedEvent, takeOwedEvents, type UseCaseContext } from '@eas/db';
import type { EventConsumer } from './handlers.ts';
import type { QueueMetrics } from './queue-metrics.ts';

/**
 * Works a batch of events exactly once: taking them from the outbox and the effect are one transaction. When it
 * throws, every event is tried in a transaction of its own, and one that fails alone waits in its row: a bad event
 * never holds up strangers. Returns the jobs to send afterwards.
 */
export async function consumeBatch(
  ctx: UseCaseContext,
  { consumer, handle }: EventConsumer,
  eventIds: readonly string[],
  metrics: QueueMetrics,
): Promise<Send[]> {
  const take = async (ids: readonly string[]): Promise<Send[]> => {
    const { count, then } = await ctx.inTransaction(async (tx) => {
      const events = await takeOwedEvents(tx, consumer, ids);
      if (events.length === 0) return { count: 0, then: [] };
      const result = await handle(contextInTransaction(ctx, tx), events);
      return { count: events.length, then: result?.then ?? [] };
    });
    metrics.eventsConsumed(consumer, 'done', count);
    return then;
  };

  try {
    return await take(eventIds);
  } catch (error) {
    // Nobody waits any more: the rows stand, and the relay sends them again.
    if (ctx.signal.aborted) throw error;
    if (eventIds.length > 1)
      ctx.logger.warn({ err: error, consumer, count: eventIds.length }, 'batch failed; one by one');
    return takeOneByOne(ctx, consumer, eventIds, take, metrics);
  }
}

async function takeOneByOne(
  ctx: UseCaseContext,
  consumer: EventConsumer['consumer'],
  eventIds: readonly string[],
  take: (ids: readonly string[]) => Promise<Send[]>,
  metrics: QueueMetrics,
): Promise<Send[]> {
  const sends: Send[] = [];
  for (const eventId of eventIds) {
    ctx.signal.throwIfAborted();
    try {
      sends.push(...(await take([eventId])));
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      const text = error instanceof Error ? error.message : String(error);
      // When the database itself is away this throws too: no try is counted and the job ends as failed.
      const outcome = await postponeOwedEvent(ctx, consumer, eventId, text);
      metrics.eventsConsumed(consumer, outcome, 1);
      const fields = { err: error, consumer, eventId, tenantId: ctx.tenantId };
      if (outcome === 'dead') ctx.logger.error(fields, 'event failed for the last time and is dead for this consumer');
      else ctx.logger.warn(fields, 'event failed; it will be tried again');
    }
  }
  return sends;
}
