import type { Tx } from '@eas/db';
import { freeSlot } from '../agents/agent.store.ts';
import type { Task } from '../tasks/task.ts';
import { endLease, type LeaseEnd } from './lease.store.ts';

/**
 * Takes a live lease away from its agent: ends it, frees the slot, and makes the token of a call under it stale. Lease
 * and task are locked; the caller moves the task and saves it.
 */
export async function withdrawLease(
  tx: Tx,
  task: Task,
  lease: { id: string; agentId: string },
  reason: LeaseEnd,
): Promise<void> {
  task.leaseId = null;
  task.fencingToken += 1;
  await endLease(tx, lease.id, reason);
  await freeSlot(tx, lease.agentId);
}
