import { AppError } from '@eas/core';
import type { Tx } from '@eas/db';
import { lockAssignable } from './agent.store.ts';

/** Throws invalid_input unless a task may be given to the agent; it is not removed until the transaction ends. */
export async function assertAssignable(tx: Tx, agentId: string, field = 'assigned_agent'): Promise<void> {
  if (await lockAssignable(tx, agentId)) return;
  throw new AppError('invalid_input', {
    field,
    constraint: 'format',
    message: `${field} must be the id of an existing agent.`,
  });
}
