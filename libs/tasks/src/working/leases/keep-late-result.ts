import { isLateResultKept } from '../../records/timeline/late-result.read-model.ts';
import type { LeaseEnd } from '../../records/leases/lease-end.ts';
import type { LeaseWork } from './lease-work.ts';

type LateResult =
  | { call: 'complete'; summary?: string | undefined; result?: Record<string, unknown> | undefined }
  | { call: 'fail'; reason: string };

/** Ends that the agent caused itself, or was never notified of: no result of these can be late. */
const ownEnds: ReadonlySet<LeaseEnd | null> = new Set(['completed', 'failed', 'released', 'handed_off', 'returned']);

/**
 * A result that an agent sends after it lost its lease is recorded in the task's timeline, once, and has no other
 * effect.
 */
export async function keepLateResult(
  { tx, lease, task, change }: LeaseWork,
  fencingToken: number,
  late: LateResult,
): Promise<undefined> {
  if (lease.fencingToken !== fencingToken || ownEnds.has(lease.endReason)) return;
  if (await isLateResultKept(tx, task.id, { leaseId: lease.id, call: late.call })) return;
  change.addEntry('late_result', { ...late, lease_id: lease.id });
}
