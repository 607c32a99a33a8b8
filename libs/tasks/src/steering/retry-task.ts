import type { TaskDetail } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { getTask } from '../reading/get-task.ts';
import { alterTask } from '../moves/alter-task.ts';
import { reopenTask } from './move-task.ts';

/** Opens a final task for another try and gives it as getTask does. Throws 409 `state` for one that is not final. */
export async function retryTask(ctx: UseCaseContext, taskId: string): Promise<{ body: TaskDetail; version: number }> {
  await alterTask(ctx, { taskId }, reopenTask);
  return getTask(ctx, taskId);
}
