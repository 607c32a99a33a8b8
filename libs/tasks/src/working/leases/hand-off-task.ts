import type { HandoffBody, LeaseResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { lockAssignable } from '../../records/agents/agent.store.ts';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { yieldTask, openAgain } from '../../moves/open-again.ts';
import { underLease } from './under-lease.ts';
import { dropLease } from '../../moves/withdraw-lease.ts';

/** An agent hands its task off to another role or agent, with what they need to know. No failure is counted. */
export async function handOffTask(ctx: UseCaseContext, call: LeaseCall<HandoffBody>): Promise<LeaseResult> {
  const { to, summary } = call.body;
  return underLease(ctx, call, async (work) => {
    await handOff(work, to, summary);
    return {};
  });
}

async function handOff(
  { tx, lease, task, change }: LeaseWork,
  { role, agent_id: agentId }: HandoffBody['to'],
  summary: string,
): Promise<void> {
  dropLease(tx, change, lease.id, 'handed_off');
  lease.state = 'over';
  const named = {
    ...(role === undefined ? {} : { to_role: role }),
    ...(agentId === undefined ? {} : { to_agent: agentId }),
  };
  change.addEntry('handoff', { ...named, summary });
  if (agentId === undefined) {
    const changed = role === undefined || role === task.assignedRole ? [] : ['assigned_role'];
    task.isPinned = false;
    task.assignedRole = role ?? task.assignedRole;
    openAgain(change, 'handed over', { changed });
    // The role may be its own.
    return yieldTask(tx, change, lease.agentId);
  }
  if (agentId === task.notFor || !(await lockAssignable(tx, agentId))) throw notAssignable();
  const reason = 'handed over to this agent';
  task.assignedAgent = agentId;
  task.isPinned = true;
  change.addEntry('assignment', { assigned_agent: agentId, reason });
  change.emit('task.assigned', { assigned_agent: agentId, assigned_role: task.assignedRole, reason });
  openAgain(change, 'handed over', { changed: ['assigned_agent'] });
}

function notAssignable(): AppError {
  const message = 'to.agent_id must be the id of an agent that can do the task.';
  return new AppError('invalid_input', { field: 'to.agent_id', constraint: 'format', message });
}
