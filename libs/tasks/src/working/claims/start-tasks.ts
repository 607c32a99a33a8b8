import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { startChange } from '../../moves/task-change.ts';
import { type PickedTask, type StartedRow, type StartedTask, writeStarted } from './claim.store.ts';

export type Start = { task: PickedTask; agentId: string; leaseSeconds: number; claimKey?: string | undefined };

/** A started task; `waitedMs`: how long it could have been claimed. */
export type Begun = StartedTask & { waitedMs: number; traceparent: string | null };

/** Starts picked tasks, each under its new lease. Returns the updated tasks; the writes are not awaited. */
export function startTasks(tx: Tx, starts: readonly Start[]): Begun[] {
  const rows = starts.map((start) => startTask(tx, start));
  writeStarted(tx, rows);
  for (const { task } of rows) tx.notify('stream', task.id);
  return rows.map(({ task }, index) => {
    const picked = starts[index]?.task;
    return { ...task, waitedMs: waitedMsOf(picked), traceparent: picked?.traceparent ?? null };
  });
}

function startTask(tx: Tx, { task, agentId, leaseSeconds, claimKey }: Start): StartedRow {
  const { pickedAt, traceparent: _, ...before } = task;
  const started: StartedTask = {
    ...before,
    assignedAgent: agentId,
    leaseId: newId('lease'),
    fencingToken: task.fencingToken + 1,
    firstClaimedAt: task.firstClaimedAt ?? pickedAt,
    notBefore: null,
    restsUntil: null,
    expiresAt: new Date(pickedAt.getTime() + leaseSeconds * 1_000),
  };
  const change = startChange(tx, started, { at: pickedAt, actor: agentId });
  change.move('in_progress');
  change.emit('task.started', { assigned_agent: agentId });
  return { task: started, entries: change.settle(), leaseSeconds, claimKey: claimKey ?? null };
}

/** Since it was created, may be claimed again, or its time has come. */
function waitedMsOf(task: PickedTask | undefined): number {
  if (!task) return 0;
  const { pickedAt, createdAt, updatedAt, firstClaimedAt, notBefore } = task;
  const openSince = (firstClaimedAt ? updatedAt : createdAt).getTime();
  return Math.max(0, pickedAt.getTime() - Math.max(openSince, notBefore?.getTime() ?? 0));
}
