import type { AcknowledgeBody, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall, LeaseWork } from '../leases/lease-work.ts';
import { underLease } from '../leases/under-lease.ts';
import { findDirectives, markAcknowledged } from './directive.store.ts';

/**
 * Acknowledges directives: they are handed over no more. Who has lost the lease may still do so for those that were
 * sent to that lease alone.
 */
export async function acknowledgeDirectives(
  ctx: UseCaseContext,
  call: LeaseCall<AcknowledgeBody>,
): Promise<LeaseResult> {
  const { directive_ids: ids, fencing_token: fencingToken } = call.body;
  return underLease(ctx, call, (work) => acknowledge(work, ids, (leaseId) => leaseId === null), {
    mayBeParked: true,
    async whenLost(lost) {
      if (lost.lease.fencingToken !== fencingToken || ids.length === 0) return undefined;
      // What was sent to whoever works on the task is for the next one now.
      if ((await findDirectives(lost.tx, lost.task.id, ids)).some(({ leaseId }) => leaseId === null)) return undefined;
      return acknowledge(lost, ids, () => false);
    },
  });
}

async function acknowledge(
  { tx, lease, task }: LeaseWork,
  ids: readonly string[],
  isForTask: (leaseId: string | null) => boolean,
): Promise<object> {
  const sent = await findDirectives(tx, task.id, ids);
  const own = new Set(sent.filter(({ leaseId }) => leaseId === lease.id || isForTask(leaseId)).map(({ id }) => id));
  const strange = ids.findIndex((id) => !own.has(id));
  if (strange !== -1) throw notSent(strange);
  await markAcknowledged(tx, task.id, ids);
  return {};
}

function notSent(index: number): AppError {
  const message = 'no such directive was sent under this lease';
  return new AppError('invalid_input', { field: `directive_ids.${index}`, constraint: 'format', message });
}
