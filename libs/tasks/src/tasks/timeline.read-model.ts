import type { DbScope } from '@eas/db';

export type ActivityRow = { kind: 'status_change' | 'comment'; at: Date; data: Record<string, string> };

const activitySql = `
  SELECT kind, at, data FROM task_timeline
  WHERE tenant_id = $1 AND task_id = $2 AND kind IN ('status_change', 'comment') ORDER BY seq`;

/** Status changes and comments of a task, oldest first. */
export async function taskActivity({ db, tenantId }: DbScope, taskId: string): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(activitySql, [tenantId, taskId]);
}
