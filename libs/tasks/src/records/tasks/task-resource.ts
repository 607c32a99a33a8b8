import type { TaskListItem, TaskResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { Task } from './task.ts';

type ListedTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'assignedRole' | 'assignedAgent' | 'createdAt' | 'dueDate'
>;

export function toListItem(task: ListedTask): TaskListItem {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    priority: task.priority,
    assigned_role: task.assignedRole,
    assigned_agent: task.assignedAgent,
    created_at: formatTimestamp(task.createdAt),
    due_date: task.dueDate && formatTimestamp(task.dueDate),
  };
}

export function toResource(
  task: ListedTask & Pick<Task, 'description' | 'tags' | 'metadata' | 'projectId'>,
): TaskResource {
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    due_date: task.dueDate && formatTimestamp(task.dueDate),
    assigned_role: task.assignedRole,
    assigned_agent: task.assignedAgent,
    created_at: formatTimestamp(task.createdAt),
    tags: task.tags,
    metadata: task.metadata,
    project: task.projectId,
  };
}
