import { type AgentDetail, maxShownEntries } from '@eas/contracts';
import { AppError, formatHours } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toAgentResource } from '../records/agents/agent.ts';
import { type AgentWithStats, findAgentsWithTasks } from './agent.read-model.ts';

/** One agent with its current tasks and stats, and its version; 404 when the tenant has none of that id. */
export async function getAgent(ctx: UseCaseContext, id: string): Promise<{ body: AgentDetail; version: number }> {
  const agent = await ctx.gather(findAgentsWithTasks, { tenantId: ctx.tenantId, id });
  if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
  const body = {
    ...toAgentResource(agent),
    current_tasks: agent.currentTasks.slice(0, maxShownEntries),
    current_tasks_truncated: agent.currentTasks.length > maxShownEntries,
    stats: statsOf(agent),
  };
  return { body, version: agent.version };
}

function statsOf(agent: AgentWithStats): AgentDetail['stats'] {
  const completionMs = mean(agent.completionMsTotal, agent.tasksCompleted);
  const quality = mean(agent.qualityTotal, agent.qualityCount);
  return {
    tasks_completed: agent.tasksCompleted,
    avg_completion_time: formatHours(completionMs ?? 0),
    avg_completion_seconds: completionMs && Math.round(completionMs / 1_000),
    code_quality_score: Math.round(quality ?? 0),
    code_quality: quality && Math.round(quality),
  };
}

function mean(total: number, count: number): number | null {
  return count === 0 ? null : total / count;
}
