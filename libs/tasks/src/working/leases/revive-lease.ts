import { AppError } from '@eas/core';
import type { LeaseWork } from './lease-work.ts';
import { unparkLease } from '../../records/leases/parked-lease.store.ts';

/** The agent returned in time after the answer: its lease runs again. Throws 409 `limit` while it has no free slot. */
export async function reviveLease({ tx, lease, change }: LeaseWork): Promise<void> {
  if (!(await unparkLease(tx, lease))) throw noSlot();
  change.move('in_progress');
  change.emit('task.updated', { from: 'blocked', to: 'in_progress', changed: ['status'] });
  lease.state = 'running';
}

function noSlot(): AppError {
  const message = 'The agent already holds its maximum number of tasks. Continue this one when another has ended.';
  return new AppError('conflict', { field: 'lease_id', constraint: 'limit', message });
}
