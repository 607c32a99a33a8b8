import type { AcknowledgeBody, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { underLease } from './under-lease.ts';
import { findDirectives, markAcknowledged } from '../../records/directives/directive.store.ts';

type Acknowledgement = Omit<AcknowledgeBody, 'wait_seconds'>;

/** The former holder of a lost lease may still acknowledge those sent only to that lease: then there is no `taskId`. */
export async function acknowledgeDirectives(
  ctx: UseCaseContext,
  call: LeaseCall<Acknowledgement>,
): Promise<LeaseResult & { taskId?: string }> {
  const { directive_ids: ids, fencing_token: fencingToken } = call.body;
  const acknowledgeHeld = async (work: LeaseWork) => {
    await acknowledge(work, ids, await sentOf(work, ids));
    return { taskId: work.task.id };
  };
  return underLease<{ taskId?: string }>(ctx, call, acknowledgeHeld, {
    mayBeParked: true,
    async whenLost(lost) {
      if (lost.lease.fencingToken !== fencingToken || ids.length === 0) return undefined;
      const sent = await sentOf(lost, ids);
      // What was sent to any agent that works on the task is for the next one now.
      return sent.some(({ leaseId }) => leaseId === null) ? undefined : acknowledge(lost, ids, sent);
    },
  });
}

type Sent = { id: string; leaseId: string | null };

/** Those of the directives that were sent to the lease, or to any agent that works on its task. */
async function sentOf({ tx, lease, task }: LeaseWork, ids: readonly string[]): Promise<Sent[]> {
  const sent = await findDirectives(tx, task.id, ids);
  return sent.filter(({ leaseId }) => leaseId === null || leaseId === lease.id);
}

async function acknowledge({ tx, task }: LeaseWork, ids: readonly string[], sent: readonly Sent[]): Promise<object> {
  const own = new Set(sent.map(({ id }) => id));
  const strange = ids.findIndex((id) => !own.has(id));
  if (strange !== -1) throw notSent(strange);
  await markAcknowledged(tx, task.id, ids);
  return {};
}

function notSent(index: number): AppError {
  const message = 'directive_ids must be ids of directives of this lease.';
  return new AppError('invalid_input', { field: `directive_ids.${index}`, constraint: 'format', message });
}
