import { maxShownEntries } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { DbScope } from '@eas/db';
import { findHeldLeases } from '../../reading/lease.read-model.ts';

/** 409 `limit` for a claim of an agent that holds its maximum number of tasks, with the leases that take its slots. */
export async function noSlot(scope: DbScope, agentId: string): Promise<AppError> {
  const held = await findHeldLeases(scope, agentId);
  const leases = held
    .filter(({ takesSlot }) => takesSlot)
    .slice(0, maxShownEntries)
    .map(({ id, taskId }) => ({ lease_id: id, task_id: taskId }));
  return new AppError('conflict', {
    field: 'agent_id',
    constraint: 'limit',
    message:
      'The agent already holds its maximum number of tasks: see `leases`. Complete or release one first, or wait with ' +
      'wait_seconds. After a crash, GET /v1/agents/me/leases returns them with their tokens.',
    extra: { leases },
  });
}
