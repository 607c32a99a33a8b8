import { mintAgentKey, mintApiKey } from '@eas/access';
import type { ShownKey } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { lockAssignable } from '@eas/tasks';

type MintInput = Parameters<typeof mintApiKey>[1];
type MintAgentInput = Parameters<typeof mintAgentKey>[1];

/** Makes a key, also one that acts as an agent; throws invalid_input when there is no such agent. */
export function mintKey(ctx: UseCaseContext, input: MintInput): Promise<ShownKey> {
  const agentId = input.body.agent_id;
  return ctx.inTransaction(async (tx) => {
    if (agentId !== null && !(await lockAssignable(tx, agentId))) {
      const message = 'agent_id must be the id of an existing agent.';
      throw new AppError('invalid_input', { field: 'agent_id', constraint: 'format', message });
    }
    return mintApiKey(contextInTransaction(ctx, tx), input);
  });
}

/** Makes a key that works as an agent; throws not_found when there is no such agent. */
export function mintKeyOfAgent(ctx: UseCaseContext, input: MintAgentInput): Promise<ShownKey> {
  return ctx.inTransaction(async (tx) => {
    if (!(await lockAssignable(tx, input.agentId)))
      throw new AppError('not_found', { message: 'The agent does not exist.' });
    return mintAgentKey(contextInTransaction(ctx, tx), input);
  });
}
