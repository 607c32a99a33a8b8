import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { recordNewestFacts } from './fact.store.ts';
import { newestFacts } from './newest-facts.ts';

/**
 * Consumer `facts.record`. Runs in the transaction that took the events over from the outbox: each is counted once.
 * Their order does not matter, since facts carry the version of the task.
 */
export async function recordFacts(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const facts = newestFacts(events);
  if (facts.length > 0) await recordNewestFacts(ctx, facts);
}
