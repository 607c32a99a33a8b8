import { type TaskCounts, taskStatuses } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { countByStatus } from './task.read-model.ts';

/** How many tasks of the tenant have each status. */
export async function countTasks(ctx: UseCaseContext): Promise<TaskCounts> {
  const counted = new Map((await countByStatus(ctx)).map(({ status, n }) => [status, n]));
  const entries = taskStatuses.map((status) => [status, counted.get(status) ?? 0]);
  return { by_status: Object.fromEntries(entries) as TaskCounts['by_status'] };
}
