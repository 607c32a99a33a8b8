import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { countFailures, recordNewestFacts } from './fact.store.ts';
import { newestFacts } from './newest-facts.ts';
import { addStepDurations } from './step-duration.store.ts';

/**
 * Consumer `facts.record`. Runs in the transaction that takes the events from the outbox, so each is counted once.
 * Their order does not matter, since facts carry the version of the task, and failures and steps are counted one by one.
 */
export async function recordFacts(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const facts = newestFacts(events);
  if (facts.length > 0) await recordNewestFacts(ctx, facts);
  const failures = events.filter((event) => event.type === 'task.failed');
  if (failures.length > 0) await countFailures(ctx, failures);
  await addStepDurations(
    ctx,
    events.filter((event) => event.type === 'workflow.step_completed'),
  );
}
