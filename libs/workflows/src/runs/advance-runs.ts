import type { UseCaseContext } from '@eas/db';
import { advance } from '../engine/advance.ts';
import { inFreshTransaction } from './end-tasks.ts';
import { openRuns } from './open-runs.ts';
import { writeChanges } from './write-changes.ts';

/** Advances runs according to their tasks and the time. Writes nothing if nothing changes. */
export async function advanceRuns(ctx: UseCaseContext, runIds: readonly string[]): Promise<void> {
  await inFreshTransaction(ctx, async (tx) => {
    const states = await openRuns(tx, runIds);
    const changes = states.map((state) => advance(state, { actor: ctx.actor.id }));
    await writeChanges(ctx, tx, changes);
  });
}
