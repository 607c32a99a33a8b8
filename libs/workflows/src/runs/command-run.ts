import type { UseCaseContext } from '@eas/db';
import { advance } from '../engine/advance.ts';
import type { Command } from '../engine/commands.ts';
import { getRun } from '../reading/get-run.ts';
import { inFreshTransaction } from './end-tasks.ts';
import { openRun, type RunCall } from './open-runs.ts';
import { writeChanges } from './write-changes.ts';

/** Applies a person's command to a run, and returns it as getRun does. Throws 404, 412 and 409 `state`. */
export async function commandRun(ctx: UseCaseContext, call: RunCall, command: Command): ReturnType<typeof getRun> {
  await inFreshTransaction(ctx, async (tx) => {
    const state = await openRun(tx, call);
    await writeChanges(ctx, tx, [advance(state, { actor: ctx.actor.id }, command)]);
  });
  return getRun(ctx, call.runId);
}
