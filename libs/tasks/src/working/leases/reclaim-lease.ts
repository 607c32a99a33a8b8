import type { Tx } from '@eas/db';
import { startChange } from '../../moves/task-change.ts';
import { type HeldLease, reopenLease } from '../../records/leases/lease.store.ts';
import type { Task } from '../../records/tasks/task.ts';

/** Whether the lease expired, and its task was neither claimed nor given to another agent since. */
export function isStillFree(lease: HeldLease, task: Task, fencingToken: number): boolean {
  if (lease.fencingToken !== fencingToken) return false;
  // The sweep has not ended it yet.
  if (lease.endReason === null) return task.status === 'in_progress' && task.leaseId === lease.id;
  return (
    lease.endReason === 'expired' &&
    task.status === 'open' &&
    task.fencingToken === fencingToken + 1 &&
    !(task.isPinned && task.assignedAgent !== lease.agentId)
  );
}

/** Returns an expired lease to its agent for a late call, whether or not the agent has a slot. */
export async function reclaimLease(tx: Tx, lease: HeldLease, task: Task, at: Date): Promise<void> {
  await reopenLease(tx, lease);
  const isOpen = lease.endReason !== null;
  Object.assign(lease, { state: 'running', endReason: null } satisfies Partial<HeldLease>);
  if (!isOpen) return;
  const change = startChange(tx, task, { at, actor: lease.agentId });
  Object.assign(task, { leaseId: lease.id, assignedAgent: lease.agentId, notBefore: null, restsUntil: null });
  change.move('in_progress', 'its agent came back before another one claimed it');
  change.emit('task.started', { assigned_agent: lease.agentId });
  change.save();
}
