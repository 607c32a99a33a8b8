import type { Tx } from '@eas/db';
import type { TaskChange } from '../../moves/task-change.ts';
import type { Task } from '../../records/tasks/task.ts';
import type { HeldLease } from '../../records/leases/lease.store.ts';

export type LeaseCall<Body> = { leaseId: string; body: Body };

export type LockedLease = { lease: HeldLease; task: Task };

/**
 * The context of a call under a lease: lease and task are locked. Its changes of the task are saved once, afterwards.
 */
export type LeaseWork = LockedLease & { tx: Tx; change: TaskChange };
