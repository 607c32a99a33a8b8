import { type Permission, subjectOf } from '@eas/contracts';
import { newId } from '@eas/core';
import type { DbScope, Tx } from '@eas/db';
import { alwaysKeyOf } from './decide-permission.ts';

export type TaskPermission = {
  id: string;
  taskId: string;
  tool: Permission['tool'];
  subject: string;
  inputId: string;
  allowedBy: string;
  createdAt: Date;
};

const insertSql = `
  INSERT INTO task_permissions (tenant_id, id, task_id, key, tool, subject, input_id, allowed_by, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (tenant_id, task_id, key) DO NOTHING`;

type Allowed = { id: string; taskId: string; permission: Permission | null };

/** Keeps that a person allowed what an input asks for, for the rest of its task. What is allowed already stays as it is. */
export async function rememberPermission(
  { db, tenantId }: Tx,
  { id: inputId, taskId, permission }: Allowed,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  if (!permission) return;
  const id = newId('taskPermission', at.getTime());
  const what = [alwaysKeyOf(permission), permission.tool, subjectOf(permission)];
  await db.query(insertSql, [tenantId, id, taskId, ...what, inputId, by, at]);
}

const rememberedSql = 'SELECT 1 FROM task_permissions WHERE tenant_id = $1 AND task_id = $2 AND key = $3';

/** Whether a person allowed the same for the rest of the task. */
export async function isRemembered(
  { db, tenantId }: DbScope,
  taskId: string,
  permission: Permission,
): Promise<boolean> {
  return (await db.query(rememberedSql, [tenantId, taskId, alwaysKeyOf(permission)])).length > 0;
}

const deleteSql = `
  DELETE FROM task_permissions WHERE tenant_id = $1 AND task_id = $2 AND id = $3 RETURNING tool, subject`;

/** Gives what it allowed; undefined: the task has none of the id. */
export async function deleteTaskPermission(
  { db, tenantId }: DbScope,
  taskId: string,
  id: string,
): Promise<{ tool: string; subject: string } | undefined> {
  const [deleted] = await db.query<{ tool: string; subject: string }>(deleteSql, [tenantId, taskId, id]);
  return deleted;
}
