import type { DbScope } from '@eas/db';

const setSql = `
  INSERT INTO task_alarms (tenant_id, task_id, at) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id, task_id) DO UPDATE SET at = excluded.at`;

/** Agents that wait for work are woken for the task then; of a task's alarms the last one counts. */
export async function setAlarm({ db, tenantId }: DbScope, taskId: string, at: Date): Promise<void> {
  await db.query(setSql, [tenantId, taskId, at]);
}
