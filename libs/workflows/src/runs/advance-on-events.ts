import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { advanceRuns } from './advance-runs.ts';

/** Consumer `run.advance`: advances the runs that have a step whose task has changed. */
export async function advanceOnEvents(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const runIds = new Set(events.flatMap(({ facts }) => (facts && 'run_id' in facts && facts.run_id) || []));
  await advanceRuns(ctx, [...runIds]);
}
