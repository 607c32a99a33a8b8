import type { AgentDetail } from '@eas/contracts';
import { AppError, formatHours } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toAgentResource } from './agent.ts';
import { currentTasks, findAgent } from './agent.read-model.ts';

/** One agent with its current tasks and stats; 404 when the tenant has none of that id. */
export async function getAgent(ctx: UseCaseContext, id: string): Promise<AgentDetail> {
  const [agent, tasks] = await Promise.all([findAgent(ctx, id), currentTasks(ctx, id)]);
  if (!agent) throw new AppError('not_found', { message: 'no such agent' });
  return {
    ...toAgentResource(agent),
    current_tasks: tasks,
    stats: {
      tasks_completed: agent.tasksCompleted,
      avg_completion_time: formatHours(mean(agent.completionMsTotal, agent.tasksCompleted)),
      code_quality_score: Math.round(mean(agent.qualityTotal, agent.qualityCount)),
    },
  };
}

function mean(total: number, count: number): number {
  return count === 0 ? 0 : total / count;
}
