import type { Tx } from '@eas/db';
import type { TaskChange } from '../../moves/task-change.ts';
import type { Task } from '../../records/tasks/task.ts';
import type { HeldLease } from '../../records/leases/lease.store.ts';

export type LeaseCall<Body> = { leaseId: string; body: Body };

/** What a call under a lease works with: lease and task are locked. What it changes of the task is saved once, after it. */
export type LeaseWork = { tx: Tx; lease: HeldLease; task: Task; change: TaskChange };
