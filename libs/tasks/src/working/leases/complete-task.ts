import { isDeepStrictEqual } from 'node:util';
import type { CompleteBody, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { addArtifacts } from './attach-artifact.ts';
import { assertAcceptanceMet } from './assert-acceptance-met.ts';
import { checkResult, type ResultCheck } from '../../records/acceptance/check-result.ts';
import { decideReviewed } from '../../moves/decide-review.ts';
import { sendToReview } from '../../moves/send-to-review.ts';
import type { Task } from '../../records/tasks/task.ts';
import { isReplacedCommit } from '../../records/artifacts/artifact.store.ts';
import { completeTogether, finishUnderLease } from './complete-together.ts';
import { writeCompleted } from './completion.store.ts';
import { keepResults, type TaskResults } from './task-results.ts';
import { keepLateResult } from './keep-late-result.ts';
import { endLeases } from '../../records/leases/lease.store.ts';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { underLease } from './under-lease.ts';

/**
 * Completes the task of a lease, also of one that has run out while no other agent has claimed the task. The same call
 * again gets the same response; with another body it is 409.
 */
export async function completeTask(ctx: UseCaseContext, call: LeaseCall<CompleteBody>): Promise<LeaseResult> {
  const { fencing_token: _, ...taskResults } = call.body;
  const isPlain = !taskResults.artifacts?.length;
  const isDone = isPlain && (await ctx.inSharedTransaction(completeTogether, { call, taskResults, ctx }));
  return isDone ? { expires_at: null, directives: [] } : completeAlone(ctx, call);
}

/** The same in a transaction of its own, which handles every case of a completion. */
export async function completeAlone(ctx: UseCaseContext, call: LeaseCall<CompleteBody>): Promise<LeaseResult> {
  const { fencing_token: fencingToken, ...taskResults } = call.body;
  const check = await checkResult(ctx, call.leaseId, taskResults.result);
  return underLease(ctx, call, (work) => complete(ctx, work, taskResults, check), {
    mayBeLate: true,
    async whenLost(lost) {
      const { task, lease } = lost;
      const { summary, result } = taskResults;
      if (lease.endReason !== 'completed' || lease.fencingToken !== fencingToken)
        return keepLateResult(lost, fencingToken, { call: 'complete', summary, result });
      assertSame(task, taskResults);
      return {};
    },
  });
}

async function complete(
  ctx: UseCaseContext,
  work: LeaseWork,
  taskResults: TaskResults,
  check: ResultCheck | undefined,
): Promise<object> {
  const { tx, task, lease, change } = work;
  await addArtifacts(work, taskResults.artifacts ?? []);
  await assertAcceptanceMet(tx, task, taskResults, check);
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
    writeCompleted(tx, [finishUnderLease(change, { leaseId: lease.id, agentId: lease.agentId })]);
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
