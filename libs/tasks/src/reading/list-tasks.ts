import type { Page, PageOfItems, TaskFilter, TaskListItem } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { toListItem } from '../records/tasks/task-resource.ts';
import { pageTasks } from './task.read-model.ts';

export async function listTasks(
  ctx: UseCaseContext,
  filter: TaskFilter,
  page: Page,
): Promise<PageOfItems<TaskListItem>> {
  const { items, ...rest } = await pageTasks(ctx, { filter, now: ctx.clock.now() }, page);
  const shown = items.map((task) => ({
    ...toListItem(task),
    ...(filter.review_by !== undefined && { review_since: formatTimestamp(task.statusSince) }),
    ...(filter.failed_after !== undefined && { failed_at: formatTimestamp(task.statusSince) }),
  }));
  return { items: shown, ...rest };
}
