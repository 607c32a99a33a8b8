import type { Page, PageOfItems, TaskFilter, TaskListItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toListItem } from '../records/tasks/task-resource.ts';
import { pageTasks } from './task.read-model.ts';

export async function listTasks(
  ctx: UseCaseContext,
  filter: TaskFilter,
  page: Page,
): Promise<PageOfItems<TaskListItem>> {
  const { items, ...rest } = await pageTasks(ctx, filter, page);
  return { items: items.map(toListItem), ...rest };
}
