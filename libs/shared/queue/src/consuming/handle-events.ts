import type { Send, StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import type { EventConsumer } from './handlers.ts';
import { traceBatch } from './trace-batch.ts';

/** Delay before a consumer gets events again that it could not process yet. */
export const againAfterMs = 250;

/** Has a consumer process events, in their traces. `again`: ids of those that it could not process yet. */
export async function handleEvents(
  inner: UseCaseContext,
  { consumer, handle }: EventConsumer,
  events: StoredEvent[],
): Promise<{ then: Send[]; again: readonly string[] }> {
  const { then = [], again = [] } = (await traceBatch(consumer, events, () => handle(inner, events))) ?? {};
  return { then, again };
}
