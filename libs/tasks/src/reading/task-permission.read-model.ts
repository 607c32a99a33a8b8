import {
  type Page,
  type PageOfItems,
  type taskPermissionListFields,
  type TaskPermissionListQuery,
  toolKinds,
} from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, type ListSource, within } from '@eas/db';
import type { TaskPermission } from '../records/permissions/task-permission.store.ts';

type Field = (typeof taskPermissionListFields)[number];
export type TaskPermissionFilter = Pick<TaskPermissionListQuery, Field>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  tool: { sql: 'tool', type: 'text', order: toolKinds },
  subject: { sql: 'subject', type: 'text', isLong: true },
  input_id: { sql: 'input_id', type: 'text' },
  allowed_by: { sql: 'allowed_by', type: 'text' },
  // The id has the same time.
  created_at: { sql: 'id', type: 'text' },
};
const source: ListSource = {
  from: 'task_permissions',
  columns: `id, task_id AS "taskId", tool, subject, input_id AS "inputId", allowed_by AS "allowedBy", created_at AS "createdAt"`,
  sortable,
};

export const pageTaskPermissions = (
  scope: DbScope,
  taskId: string,
  { created_at: createdAt, ...filter }: TaskPermissionFilter,
  page: Page,
): Promise<PageOfItems<TaskPermission>> => {
  const conditions = [
    within(equals('task_id', taskId)),
    equals('created_at', createdAt),
    ...equalFields(source, filter),
  ];
  return fetchPage<TaskPermission>(scope, source, conditions, page);
};
