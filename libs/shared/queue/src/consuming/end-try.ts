import {
  contextInTransaction,
  findStoredEvent,
  holdBackEvents,
  postponePendingEvent,
  type UseCaseContext,
} from '@eas/db';
import type { EventConsumer } from './handlers.ts';
import type { QueueMetrics } from '../backends/queue-metrics.ts';

/** A try that failed. `isCounted`: it was counted before it began. */
export type FailedTry = { eventId: string; error: unknown; isCounted: boolean };

/**
 * Postpones the event, or gives it up after its last try. Throws, and counts nothing, when the database is unavailable.
 */
export async function endTry(
  ctx: UseCaseContext,
  consumer: EventConsumer,
  { eventId, error, isCounted }: FailedTry,
  metrics: QueueMetrics,
): Promise<void> {
  const outcome = await ctx.inTransaction(async (tx) => {
    const ended = await postponePendingEvent(tx, consumer.consumer, eventId, { error: textOf(error), isCounted });
    if (ended === 'dead') await giveUp(contextInTransaction(ctx, tx), consumer, eventId);
    return ended;
  });
  metrics.eventsConsumed(consumer.consumer, outcome, 1);
  const fields = { err: error, consumer: consumer.consumer, eventId, tenantId: ctx.tenantId };
  if (outcome === 'dead') ctx.logger.error(fields, 'event failed and is dead');
  else ctx.logger.warn(fields, 'event failed, will be retried');
}

/** Postpones the events of a try that the database could not serve, for example because a table was locked. */
export async function holdBack(
  ctx: UseCaseContext,
  consumer: EventConsumer,
  { eventIds, error, isCounted }: Omit<FailedTry, 'eventId'> & { eventIds: readonly string[] },
  metrics: QueueMetrics,
): Promise<void> {
  await ctx.inTransaction((tx) => holdBackEvents(tx, consumer.consumer, eventIds, { error: textOf(error), isCounted }));
  metrics.eventsConsumed(consumer.consumer, 'postponed', eventIds.length);
  const fields = { err: error, consumer: consumer.consumer, count: eventIds.length, tenantId: ctx.tenantId };
  ctx.logger.warn(fields, 'database could not serve events, will be retried');
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The row is marked as dead even if the consumer's record of it cannot be written. */
async function giveUp(ctx: UseCaseContext, consumer: EventConsumer, eventId: string): Promise<void> {
  if (!consumer.giveUp) return;
  const { giveUp: leave } = consumer;
  try {
    await ctx.inTransaction(async (tx) => {
      const event = await findStoredEvent(tx, eventId);
      if (event) await leave(contextInTransaction(ctx, tx), event);
    });
  } catch (error) {
    const fields = { err: error, consumer: consumer.consumer, eventId, tenantId: ctx.tenantId };
    ctx.logger.error(fields, 'dead event not recorded by its consumer');
  }
}
