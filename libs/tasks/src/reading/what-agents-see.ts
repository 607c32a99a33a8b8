import type { Actor, Scope } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { isTaskOfAgent } from './agent.read-model.ts';

/** The scope with which the caller may read everything, not only its own. */
type Reader = { scopes: readonly Scope[] };

/**
 * Throws 404 unless the caller may read the task: with tasks:read any; with agent:self what its agent holds, is planned
 * for or has done, and what it may claim.
 */
export async function assertSeesTask(
  ctx: UseCaseContext,
  { taskId, scopes }: Reader & { taskId: string },
): Promise<void> {
  if (scopes.includes('tasks:read')) return;
  const { agentId } = ctx.actor;
  if (agentId !== undefined && (await isTaskOfAgent(ctx, { taskId, agentId }))) return;
  throw new AppError('not_found', { message: 'The task does not exist.' });
}

/** Throws 404 unless the caller may read the agent: with agents:read any; with agent:self the one whose key it is. */
export function assertSeesAgent({ actor }: { actor: Actor }, { agentId, scopes }: Reader & { agentId: string }): void {
  if (scopes.includes('agents:read') || actor.agentId === agentId) return;
  throw new AppError('not_found', { message: 'The agent does not exist.' });
}

/** The agent whose key the caller has; 404 for a key of none. */
export function ownAgentId({ actor }: { actor: Actor }): string {
  if (actor.agentId !== undefined) return actor.agentId;
  throw new AppError('not_found', { message: 'This key does not belong to an agent. Use the key of an agent.' });
}
