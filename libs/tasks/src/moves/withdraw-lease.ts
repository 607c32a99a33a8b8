import type { Tx } from '@eas/db';
import { sendDirective } from './send-directive.ts';
import type { TaskChange } from './task-change.ts';
import { endLeases, type LeaseEnd } from '../records/leases/lease.store.ts';

type Ended = Pick<TaskChange, 'task' | 'at'>;

/** Frees its slot and calls off what its agent asked; its token is stale. The caller moves the task and saves it. */
export function dropLease(tx: Tx, { task }: Ended, leaseId: string, reason: LeaseEnd): void {
  task.leaseId = null;
  task.fencingToken += 1;
  endLeases(tx, [leaseId], reason);
}

/** Why an agent loses its lease, as it is shown. */
const shownReasons = {
  completed_elsewhere: 'the task was completed elsewhere',
  cancelled: 'the task was cancelled',
  expired: 'the lease was not renewed in time',
  parked_too_long: 'the agent did not continue in time after the answer',
  input_expired: 'the input was not answered in time',
  agent_removed: 'the agent was removed',
  timed_out: 'the task took too long',
} as const satisfies Partial<Record<LeaseEnd, string>>;

/** Takes a live lease away from its agent, with a directive that says why. */
export async function withdrawLease(
  tx: Tx,
  change: Ended,
  leaseId: string,
  reason: keyof typeof shownReasons,
): Promise<void> {
  dropLease(tx, change, leaseId, reason);
  const kind = reason === 'cancelled' ? 'cancel' : 'lease_lost';
  await sendDirective(tx, change, { kind, leaseId, data: { reason: shownReasons[reason] } });
}
