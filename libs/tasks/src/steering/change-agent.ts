import { isDeepStrictEqual } from 'node:util';
import type { AgentDetail, ChangeAgentBody } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { withdrawPlansOf } from '../moves/withdraw-plans.ts';
import { appendArrived } from '../records/agents/append-arrived.ts';
import { hasCurrentTasks } from '../reading/agent.read-model.ts';
import { type EditableAgent, lockAgentAlone, updateAgent } from '../records/agents/agent.store.ts';
import { notifySlot } from '../records/leases/lease.store.ts';
import { getAgent } from '../reading/get-agent.ts';

/** Changes an agent and gives it as getAgent does. Throws 404, 412, and 409 `state` for another role while it has tasks. */
export async function changeAgent(
  ctx: UseCaseContext,
  { agentId, ifMatch, body }: { agentId: string; ifMatch?: readonly number[]; body: ChangeAgentBody },
): Promise<{ body: AgentDetail; version: number }> {
  await ctx.inTransaction(async (tx) => {
    const agent = await lockAgentAlone(tx, agentId);
    if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
    assertVersion(agent.version, ifMatch);
    const edited = applied(agent, body);
    if (edited.role !== agent.role && (await hasCurrentTasks(tx, agentId))) throw hasTasks();
    if (isDeepStrictEqual(edited, agent)) return;
    const at = ctx.clock.now();
    await updateAgent(tx, edited, at);
    if (edited.maxConcurrentTasks > agent.maxConcurrentTasks) notifySlot(tx, agentId);
    if (edited.isAccepting && canDoMore(agent, edited)) appendArrived(tx, edited, at);
    if (canDoMore(edited, agent))
      await withdrawPlansOf(tx, { agentId, at, actor: ctx.actor.id, keepsPinned: true, keepsDoable: true });
  });
  return getAgent(ctx, agentId);
}

/** null gives a field what an agent has that was registered without it. */
function applied(agent: EditableAgent, body: ChangeAgentBody): EditableAgent {
  const { name = agent.name, role = agent.role, capabilities = agent.capabilities } = body;
  const { max_concurrent_tasks: maxConcurrentTasks = agent.maxConcurrentTasks } = body;
  return { ...agent, name, role, capabilities: capabilities ?? [], maxConcurrentTasks: maxConcurrentTasks ?? 1 };
}

function canDoMore(before: EditableAgent, after: EditableAgent): boolean {
  return after.role !== before.role || after.capabilities.some((one) => !before.capabilities.includes(one));
}

/** Its tasks were meant for the role that it has. */
function hasTasks(): AppError {
  const message = 'role cannot change while the agent holds tasks or tasks are assigned to it. Reassign them first.';
  return new AppError('conflict', { field: 'role', constraint: 'state', message });
}
