import type { Page, PageOfItems, TaskPermissionResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { TaskPermission } from '../records/permissions/task-permission.store.ts';
import { pageTaskPermissions, type TaskPermissionFilter } from './task-permission.read-model.ts';
import { assertTaskExists } from './task.read-model.ts';

/** What people allowed for the rest of a task; 404 when the tenant has none of that id. */
export async function listTaskPermissions(
  ctx: UseCaseContext,
  { taskId, filter }: { taskId: string; filter: TaskPermissionFilter },
  page: Page,
): Promise<PageOfItems<TaskPermissionResource>> {
  await assertTaskExists(ctx, taskId);
  const { items, ...rest } = await pageTaskPermissions(ctx, taskId, filter, page);
  return { items: items.map(toResource), ...rest };
}

const toResource = ({ id, taskId, tool, subject, inputId, allowedBy, createdAt }: TaskPermission) => ({
  id,
  task_id: taskId,
  tool,
  subject,
  input_id: inputId,
  allowed_by: allowedBy,
  created_at: formatTimestamp(createdAt),
});
