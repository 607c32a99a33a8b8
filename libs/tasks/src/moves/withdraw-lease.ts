import type { Tx } from '@eas/db';
import { sendDirective } from './send-directive.ts';
import type { TaskChange } from './task-change.ts';
import { type LeaseEnd, leaseEndTexts } from '../records/leases/lease-end.ts';
import { endLeases } from '../records/leases/lease.store.ts';

type Ended = Pick<TaskChange, 'task' | 'at'>;

/** Frees its slot and cancels its agent's inputs; its token is stale. The caller moves the task and saves it. */
export function dropLease(tx: Tx, { task }: Ended, leaseId: string, reason: LeaseEnd): void {
  task.leaseId = null;
  task.fencingToken += 1;
  endLeases(tx, [leaseId], reason);
}

/** Withdraws a live lease from its agent, with a directive that contains the reason. */
export async function withdrawLease(tx: Tx, change: Ended, leaseId: string, reason: LeaseEnd): Promise<void> {
  dropLease(tx, change, leaseId, reason);
  const kind = reason === 'cancelled' ? 'cancel' : 'lease_lost';
  await sendDirective(tx, change, { kind, leaseId, data: { reason: leaseEndTexts[reason] } });
}
