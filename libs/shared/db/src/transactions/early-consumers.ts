import type { Consumer, StoredEvent } from '@eas/contracts';
import type { Logger } from '@eas/core';
import type { EventRow } from './event-row.ts';
import { inSavepoint } from './savepoint.ts';
import { firstErrorOf, type Tx } from './tx.ts';

/**
 * Consumes events in the transaction that appends them, and returns the ids of those that it has consumed. It must not
 * wait for locks: what is not free is left to the job.
 */
export type EarlyConsumer = (tx: Tx, events: readonly StoredEvent[]) => Promise<readonly string[]>;

export type EarlyConsumers = { consumers: Map<Consumer, EarlyConsumer>; logger: Logger };

/**
 * Has the early consumers of this process consume what the transaction has appended. What they consume gets no outbox
 * row for them. What they append themselves is left to jobs, and after an error all is.
 */
export async function consumeEarly(tx: Tx, { consumers, logger }: EarlyConsumers): Promise<void> {
  if (tx.pendingEvents.length === 0) return;
  const appended = [...tx.pendingEvents];
  for (const [consumer, consume] of consumers) {
    const rows = appended.filter((row) => row.consumers.includes(consumer));
    if (rows.length === 0) continue;
    try {
      const consumed = new Set(await inSavepoint(tx, (inner) => consume(inner, rows.map(storedOf))));
      for (const row of rows)
        if (consumed.has(row.event_id)) row.consumers = row.consumers.filter((name) => name !== consumer);
    } catch (error) {
      // What the transaction itself has written may have failed, and with it all that came after.
      const cause = await firstErrorOf(tx, error);
      if (cause !== error) throw cause;
      logger.warn({ consumer, err: error }, 'events not consumed at once, left to their job');
    }
  }
}

const storedOf = ({ event_id, event_type, occurred_at, data, facts, traceparent }: EventRow): StoredEvent =>
  ({
    eventId: event_id,
    type: event_type,
    occurredAt: new Date(occurred_at),
    data,
    facts,
    dataText: JSON.stringify(data),
    traceparent,
  }) as StoredEvent;
