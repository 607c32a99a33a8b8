import { isDeepStrictEqual } from 'node:util';
import type { CompleteBody, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import { batched, type BatchItem, type BatchResult, needsOwnTransaction, type Tx } from '@eas/db';
import { addArtifacts } from './attach-artifact.ts';
import { assertAcceptanceMet } from './assert-acceptance-met.ts';
import { checkResult, type ResultCheck } from '../../records/acceptance/check-result.ts';
import { decideReviewed } from '../../moves/decide-review.ts';
import { markFinished } from '../../moves/finish-task.ts';
import { sendToReview } from '../../moves/send-to-review.ts';
import type { Task } from '../../records/tasks/task.ts';
import { isReplacedCommit } from '../../records/tasks/artifact.store.ts';
import { type CompletedRow, lockPlainLeases, writeCompleted } from './completion.store.ts';
import { keepResults, type TaskResults } from './task-results.ts';
import { keepLateResult } from './keep-late-result.ts';
import { endLeases } from '../../records/leases/lease.store.ts';
import type { LeaseCall, LeaseWork, LockedLease } from './lease-work.ts';
import { lockOwnLease, underLocked } from './under-lease.ts';

type Completing = BatchItem<LeaseCall<CompleteBody>, ResultCheck>;

/**
 * Completes the task of a lease, also of one that has run out while no other agent has claimed the task. The same call
 * again gets the same response; with another body it is 409.
 */
export const completeTask = batched(
  async (tx, calls: readonly Completing[], { mayWait }): Promise<BatchResult<LeaseResult>[]> => {
    const held = await (mayWait ? lockEach(tx, calls) : lockPlain(tx, calls));
    const completed: CompletedRow[] = [];
    const results: BatchResult<LeaseResult>[] = [];
    for (const call of calls) {
      const locked = held.get(call.input.leaseId);
      // A second call for a lease gets its response after the first.
      held.delete(call.input.leaseId);
      results.push(locked ? await completeLocked(tx, call, locked, completed) : needsOwnTransaction);
    }
    writeCompleted(tx, completed);
    return results;
  },
  {
    canShare: ({ body }) => !body.artifacts?.length,
    prepare: (ctx, { leaseId, body }) => checkResult(ctx, leaseId, body.result),
  },
);

async function lockEach(tx: Tx, calls: readonly Completing[]): Promise<Map<string, LockedLease>> {
  const held = new Map<string, LockedLease>();
  for (const { ctx, input } of calls) held.set(input.leaseId, await lockOwnLease(tx, ctx.actor, input.leaseId));
  return held;
}

function lockPlain(tx: Tx, calls: readonly Completing[]): Promise<Map<string, LockedLease>> {
  const named = calls.map(({ ctx: { actor }, input: { leaseId, body } }) => ({
    leaseId,
    fencingToken: body.fencing_token,
    agentId: actor.isAdmin ? null : (actor.agentId ?? ''),
  }));
  return lockPlainLeases(tx, named);
}

async function completeLocked(
  tx: Tx,
  call: Completing,
  locked: LockedLease,
  completed: CompletedRow[],
): Promise<BatchResult<LeaseResult>> {
  const { fencing_token: fencingToken, ...taskResults } = call.input.body;
  const at = call.ctx.clock.now();
  const work = (begun: LeaseWork) => complete(begun, call, taskResults, completed);
  const response = await underLocked(tx, { ...locked, fencingToken, at }, work, {
    mayBeLate: true,
    async whenLost(lost) {
      const { summary, result } = taskResults;
      if (lost.lease.endReason !== 'completed' || lost.lease.fencingToken !== fencingToken)
        return keepLateResult(lost, fencingToken, { call: 'complete', summary, result });
      assertSame(lost.task, taskResults);
      return {};
    },
  });
  return response instanceof AppError ? { ok: false, error: response } : { ok: true, value: response };
}

/** Adds the task to the `completed` ones unless its work is reviewed first. */
async function complete(
  work: LeaseWork,
  { ctx, prepared }: Completing,
  taskResults: TaskResults,
  completed: CompletedRow[],
): Promise<object> {
  const { tx, task, lease, change } = work;
  await addArtifacts(work, taskResults.artifacts ?? []);
  await assertAcceptanceMet(tx, task, taskResults, prepared);
  lease.state = 'over';
  keepResults(task, taskResults);
  await decideReviewed(tx, change, taskResults, ctx.limits);
  const isUnchanged = task.sentBackSha !== null && !(await isReplacedCommit(tx, task, task.sentBackSha));
  const reviewer = isUnchanged ? ({ person: true } as const) : task.acceptance?.review;
  if (reviewer) {
    const reason = isUnchanged ? 'There is no new commit since the work was sent back.' : undefined;
    await sendToReview(ctx, tx, change, { author: lease.agentId, reviewer, reason });
    endLeases(tx, [lease.id], 'completed');
  } else {
    markFinished(change, lease.agentId);
    completed.push({ task, leaseId: lease.id, entries: change.settle() });
  }
  return {};
}

function assertSame(task: Task, taskResults: TaskResults): void {
  if (isDeepStrictEqual(task.result, JSON.parse(JSON.stringify(taskResults)))) return;
  throw new AppError('conflict', {
    field: 'lease_id',
    constraint: 'state',
    message: 'The task was already completed with another body.',
  });
}
