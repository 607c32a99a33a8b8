import type { DbScope } from '@eas/db';
import type { Input, InputAnswer } from './input.ts';

export const inputColumns = `
  id, task_id AS "taskId", lease_id AS "leaseId", agent_id AS "agentId", kind, prompt, options, form,
  permission, permission_key AS "permissionKey", is_blocking AS "isBlocking", status, answer, answered_by AS "answeredBy", created_at AS "createdAt",
  expires_at AS "expiresAt", answered_at AS "answeredAt"`;

export type NewInput = Pick<
  Input,
  | 'id'
  | 'taskId'
  | 'leaseId'
  | 'agentId'
  | 'kind'
  | 'prompt'
  | 'options'
  | 'form'
  | 'permission'
  | 'permissionKey'
  | 'isBlocking'
  | 'createdAt'
> & { expiresInSeconds: number };

const insertSql = `
  INSERT INTO inputs (tenant_id, id, task_id, lease_id, agent_id, kind, prompt, options, is_blocking, created_at, expires_at,
    form, permission, permission_key)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, app_now() + $11 * interval '1 second', $12, $13, $14)
  RETURNING ${inputColumns}`;

/** Inserts a pending input of a locked task. */
export async function insertInput({ db, tenantId }: DbScope, input: NewInput): Promise<Input> {
  const { id, taskId, leaseId, agentId, kind, prompt, options, isBlocking, createdAt, expiresInSeconds } = input;
  const { form, permission, permissionKey } = input;
  const values = [id, taskId, leaseId, agentId, kind, prompt, options, isBlocking, createdAt, expiresInSeconds];
  const more = [form && JSON.stringify(form), permission && JSON.stringify(permission), permissionKey];
  const [inserted] = await db.query<Input>(insertSql, [tenantId, ...values, ...more]);
  if (!inserted) throw new Error('an INSERT gave no row');
  return inserted;
}

const pendingSql = `
  SELECT ${inputColumns} FROM inputs
  WHERE tenant_id = $1 AND task_id = $2 AND lease_id = $3 AND status = 'pending' ORDER BY id`;

export async function pendingInputsOf(
  { db, tenantId }: DbScope,
  { taskId, id }: { taskId: string; id: string },
): Promise<Input[]> {
  return db.query<Input>(pendingSql, [tenantId, taskId, id]);
}

const lockSql = `
  SELECT ${inputColumns}, expires_at <= app_now() AS "isDue" FROM inputs
  WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/** Locks an input; its task is locked before it. `isDue`: its time is over, published or not yet. */
export async function lockInput(
  { db, tenantId }: DbScope,
  id: string,
): Promise<(Input & { isDue: boolean }) | undefined> {
  const [input] = await db.query<Input & { isDue: boolean }>(lockSql, [tenantId, id]);
  return input;
}

const answerSql = `
  UPDATE inputs SET status = 'answered', answer = $3, answered_by = $4, answered_at = $5
  WHERE tenant_id = $1 AND id = $2`;

/** Keeps the answer to a locked input. */
export async function keepAnswer(
  { db, tenantId }: DbScope,
  { id, answer, by, at }: { id: string; answer: InputAnswer; by: string; at: Date },
): Promise<void> {
  await db.query(answerSql, [tenantId, id, JSON.stringify(answer), by, at]);
}

const expireSql = "UPDATE inputs SET status = 'expired' WHERE tenant_id = $1 AND id = $2";

/** A locked input was not answered in time. */
export async function expireInput({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(expireSql, [tenantId, id]);
}

const useAnswerSql = `
  UPDATE inputs SET used_by = $4
  WHERE tenant_id = $1 AND status = 'answered' AND answer ->> 'decision' <> 'allow_always'
    AND coalesce(used_by, $4) = $4 AND id = (
      SELECT id FROM inputs WHERE tenant_id = $1 AND task_id = $2 AND permission_key = $3 ORDER BY id DESC LIMIT 1)
  RETURNING ${inputColumns}`;

/** What a person decided this once about the same permission, for one call: the first that takes it. Its task is locked. */
export async function useAnswer(
  { db, tenantId }: DbScope,
  { taskId, permissionKey, callId }: { taskId: string; permissionKey: string; callId: string },
): Promise<Input | undefined> {
  const [input] = await db.query<Input>(useAnswerSql, [tenantId, taskId, permissionKey, callId]);
  return input;
}
