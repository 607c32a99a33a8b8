import type { CompleteBody } from '@eas/contracts';
import type { Tx, UseCaseContext } from '@eas/db';
import { markFinished } from '../../moves/finish-task.ts';
import { startChange, type TaskChange } from '../../moves/task-change.ts';
import type { Task } from '../../records/tasks/task.ts';
import { type CompletedRow, lockHeldTasks, writeCompleted } from './completion.store.ts';
import type { LeaseCall } from './lease-work.ts';
import { keepResults, type TaskResults } from './task-results.ts';

type Completing = { ctx: UseCaseContext; call: LeaseCall<CompleteBody>; taskResults: TaskResults };

/**
 * Completes tasks of one tenant that need nothing else: no acceptance rules, no review, no artifacts, never sent back,
 * and rows that are not locked. Returns for each whether it is done; the others are completed or refused individually.
 */
export async function completeTogether(tx: Tx, calls: readonly Completing[]): Promise<{ ok: true; value: boolean }[]> {
  const tasks = await lockHeldTasks(
    tx,
    calls.map(({ ctx: { actor }, call: { leaseId, body } }) => ({
      leaseId,
      fencingToken: body.fencing_token,
      agentId: actor.isAdmin ? null : (actor.agentId ?? ''),
    })),
  );
  const rows: CompletedRow[] = [];
  const batch = calls.map(({ ctx, call, taskResults }) => {
    const task = tasks.get(call.leaseId);
    // A second call for a lease gets its response after the first.
    tasks.delete(call.leaseId);
    if (task) rows.push(complete(tx, task, taskResults, ctx.clock.now()));
    return { ok: true as const, value: task !== undefined };
  });
  writeCompleted(tx, rows);
  return batch;
}

function complete(tx: Tx, task: Task, taskResults: TaskResults, at: Date): CompletedRow {
  const [leaseId, agentId] = [task.leaseId ?? '', task.assignedAgent ?? ''];
  const change = startChange(tx, task, { at, actor: agentId });
  keepResults(task, taskResults);
  return finishUnderLease(change, { leaseId, agentId });
}

/** The accepted work of an agent under its lease: the row that writeCompleted writes, alone or with others. */
export function finishUnderLease(
  change: TaskChange,
  { leaseId, agentId }: { leaseId: string; agentId: string },
): CompletedRow {
  markFinished(change, agentId);
  return { task: change.task, leaseId, entries: change.settle() };
}
