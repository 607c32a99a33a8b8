import { type AgentDetail, maxShownEntries } from '@eas/contracts';
import { AppError, formatHours } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toAgentResource } from '../records/agents/agent.ts';
import { findAgentsWithTasks } from './agent.read-model.ts';

/** One agent with its current tasks and stats, and its version; 404 when the tenant has none of that id. */
export async function getAgent(ctx: UseCaseContext, id: string): Promise<{ body: AgentDetail; version: number }> {
  const agent = await ctx.gather(findAgentsWithTasks, { tenantId: ctx.tenantId, id });
  if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
  const body = {
    ...toAgentResource(agent),
    current_tasks: agent.currentTasks.slice(0, maxShownEntries),
    current_tasks_truncated: agent.currentTasks.length > maxShownEntries,
    stats: {
      tasks_completed: agent.tasksCompleted,
      avg_completion_time: formatHours(mean(agent.completionMsTotal, agent.tasksCompleted)),
      code_quality_score: Math.round(mean(agent.qualityTotal, agent.qualityCount)),
    },
  };
  return { body, version: agent.version };
}

function mean(total: number, count: number): number {
  return count === 0 ? 0 : total / count;
}
