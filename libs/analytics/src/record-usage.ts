import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { addUsage } from './usage.store.ts';

/** Consumer `usage.record`. Runs in the transaction that takes the events from the outbox, so each is added once. */
export async function recordUsage(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const recorded = events.filter((event) => event.type === 'usage.recorded');
  if (recorded.length > 0) await addUsage(ctx, recorded);
}
