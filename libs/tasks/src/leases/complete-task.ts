import { isDeepStrictEqual } from 'node:util';
import type { CompleteBody, LeaseResult } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { recordCompletion } from '../agents/agent.store.ts';
import type { LeaseCall } from './heartbeat-lease.ts';
import { assertHeld, assertOwn } from './lease.ts';
import { endLease, type HeldLease, lockLease } from './lease.store.ts';
import { startChange } from '../tasks/task-change.ts';
import { completionOf, type Task } from '../tasks/task.ts';
import { lockTask } from '../tasks/task.store.ts';

/** Completes the task of a lease. The same call again is answered the same; with another body it is 409. */
export async function completeTask(
  ctx: UseCaseContext,
  { leaseId, body }: Omit<LeaseCall<CompleteBody>, 'leaseSeconds'>,
): Promise<LeaseResult> {
  const { fencing_token: fencingToken, ...outcome } = body;
  await ctx.inTransaction(async (tx) => {
    const lease = await lockLease(tx, leaseId);
    assertOwn(lease, ctx.actor);
    const task = await lockTask(tx, lease.taskId);
    if (!task) throw new AppError('not_found', { message: 'no such task' });
    if (lease.endReason === 'completed' && lease.fencingToken === fencingToken) return assertSame(task, outcome);
    assertHeld(lease, fencingToken, ctx.actor);
    await complete(tx, { task, lease, outcome, at: ctx.clock.now() });
  });
  return { expires_at: null, directives: [] };
}

type Outcome = Omit<CompleteBody, 'fencing_token'>;

async function complete(
  tx: Tx,
  { task, lease, outcome, at }: { task: Task; lease: HeldLease; outcome: Outcome; at: Date },
): Promise<void> {
  const change = startChange(tx, task, { at, actor: lease.agentId });
  change.move('completed');
  task.leaseId = null;
  task.completedAt = at;
  task.completedBy = lease.agentId;
  task.codeQuality = outcome.scores?.code_quality ?? null;
  task.requirementsClarity = outcome.scores?.requirements_clarity ?? null;
  task.result = outcome;
  change.emit('task.completed', { completed_by: lease.agentId, completion_time: formatTimestamp(at) });
  await change.save();
  await endLease(tx, lease.id, 'completed');
  await recordCompletion(tx, completionOf(task));
}

function assertSame(task: Task, outcome: Outcome): void {
  if (isDeepStrictEqual(task.result, JSON.parse(JSON.stringify(outcome)))) return;
  throw new AppError('conflict', {
    field: 'lease_id',
    constraint: 'state',
    message: 'the task was completed with another body',
  });
}
