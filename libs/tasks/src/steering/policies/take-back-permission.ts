import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { deleteTaskPermission } from '../../records/permissions/task-permission.store.ts';

/** Revokes a permission and returns it: the agents of the task have to ask again. Throws 404. */
export async function takeBackPermission(
  ctx: UseCaseContext,
  { taskId, permissionId }: { taskId: string; permissionId: string },
): Promise<{ tool: string; subject: string }> {
  const deleted = await deleteTaskPermission(ctx, taskId, permissionId);
  if (deleted) return deleted;
  throw new AppError('not_found', { message: 'The permission does not exist.' });
}
