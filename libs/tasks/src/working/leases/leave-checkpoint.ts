import type { CheckpointBody, LeaseResult } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { keepCheckpoint } from '../../records/tasks/task.store.ts';
import type { LeaseCall } from './lease-work.ts';
import { underLease } from './under-lease.ts';

export async function leaveCheckpoint(ctx: UseCaseContext, call: LeaseCall<CheckpointBody>): Promise<LeaseResult> {
  return underLease(
    ctx,
    call,
    async ({ tx, task }) => {
      await keepCheckpoint(tx, task.id, call.body.data);
      return {};
    },
    { mayBeParked: true },
  );
}
