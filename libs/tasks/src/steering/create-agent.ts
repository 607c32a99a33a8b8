import type { AgentResource, CreateAgentBody } from '@eas/contracts';
import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { appendArrived } from '../records/agents/append-arrived.ts';
import { toAgentResource } from '../records/agents/agent.ts';
import { insertAgent } from '../records/agents/agent.store.ts';

/** Registers an agent that accepts work at once. Throws conflict `limit` when the tenant has too many. */
export async function createAgent(ctx: UseCaseContext, input: CreateAgentBody): Promise<AgentResource> {
  const agent = {
    id: newId('agent'),
    name: input.name,
    role: input.role,
    capabilities: input.capabilities,
    maxConcurrentTasks: input.max_concurrent_tasks,
    createdAt: ctx.clock.now(),
  };
  await ctx.inTransaction(async (tx) => {
    await insertAgent(tx, agent, ctx.limits.agents);
    appendArrived(tx, agent, agent.createdAt);
  });
  return toAgentResource({ ...agent, activeLeases: 0, isAccepting: true, presence: 'offline', lastSeenAt: null });
}
