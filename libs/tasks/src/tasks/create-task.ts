import type { CreateTaskBody, TaskResource } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import { brokenConstraint, eventRow, type UseCaseContext } from '@eas/db';
import { toResource } from './task-resource.ts';
import { claimRank, taskFacts } from './task.ts';
import { insertTasks, type NewTaskRow } from './task.store.ts';

export type NewTask = CreateTaskBody & {
  /** The task waits for its platform and cannot be claimed yet. */
  is_held?: boolean;
};

/** Creates a task: row, first timeline entry and task.created are committed together when this returns. */
export async function createTask(ctx: UseCaseContext, input: NewTask): Promise<TaskResource> {
  const { row, resource } = newTaskRow(ctx, input);
  try {
    await ctx.gather(insertTasks, row);
  } catch (error) {
    if (brokenConstraint(error) !== 'tasks_tenant_id_assigned_agent_fkey') throw error;
    throw new AppError('invalid_input', {
      field: 'assigned_agent',
      constraint: 'format',
      message: 'assigned_agent names no agent',
      cause: error,
    });
  }
  return resource;
}

function newTaskRow(ctx: UseCaseContext, input: NewTask): { row: NewTaskRow; resource: TaskResource } {
  const createdAt = ctx.clock.now();
  const task = {
    id: newId('task'),
    title: input.title,
    description: input.description,
    status: 'created' as const,
    priority: input.priority,
    dueDate: input.due_date,
    assignedRole: input.assigned_role,
    assignedAgent: input.assigned_agent,
    tags: input.tags,
    metadata: input.metadata,
    createdAt,
    version: 1,
    firstClaimedAt: null,
    completedAt: null,
    codeQuality: null,
    requirementsClarity: null,
  };
  const resource = toResource(task);
  const row: NewTaskRow = {
    id: task.id,
    title: task.title,
    description: task.description,
    priority: task.priority,
    due_date: task.dueDate,
    assigned_role: task.assignedRole,
    assigned_agent: task.assignedAgent,
    tags: task.tags,
    metadata: task.metadata,
    created_at: createdAt,
    rank: claimRank(task, createdAt),
    is_held: input.is_held ?? false,
    actor: ctx.actor.id,
    ...eventRow(ctx.tenantId, {
      type: 'task.created',
      at: createdAt,
      data: { task_id: task.id, ...resource },
      facts: taskFacts(task),
    }),
  };
  return { row, resource };
}
