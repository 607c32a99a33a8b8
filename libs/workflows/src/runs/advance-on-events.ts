import type { StoredEvent } from '@eas/contracts';
import type { Tx, UseCaseContext } from '@eas/db';
import { advance } from '../engine/advance.ts';
import { advanceRuns } from './advance-runs.ts';
import { openRuns } from './open-runs.ts';
import { writeChanges } from './write-changes.ts';

/** Consumer `run.advance`: advances the runs that have a step whose task has changed. */
export async function advanceOnEvents(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  await advanceRuns(ctx, runsOf(events));
}

/**
 * The same in the transaction that changes the tasks, as far as it need not wait: runs that are locked or large, or
 * whose tasks have to be ended, are left to the job. Returns the events of the others.
 */
export async function advanceAtOnce(ctx: UseCaseContext, tx: Tx, events: readonly StoredEvent[]): Promise<string[]> {
  const states = await openRuns(tx, runsOf(events), { mayWait: false });
  const decided = states.map((state) => ({ id: state.run.id, change: advance(state, { actor: ctx.actor.id }) }));
  const possible = decided.filter(({ change }) => !change || change.ends.length === 0);
  await writeChanges(
    ctx,
    tx,
    possible.map(({ change }) => change),
  );
  const advanced = new Set(possible.map(({ id }) => id));
  return events.filter((event) => advanced.has(runOf(event) ?? '')).map(({ eventId }) => eventId);
}

const runOf = ({ facts }: StoredEvent): string | undefined => (facts && 'run_id' in facts && facts.run_id) || undefined;

const runsOf = (events: readonly StoredEvent[]): string[] => [
  ...new Set(events.flatMap((event) => runOf(event) ?? [])),
];
