import type { DbScope } from '@eas/db';

/** One entry of a task's timeline; `seq` comes from the task's counter. */
export type NewTimelineEntry = {
  taskId: string;
  seq: number;
  kind: 'created' | 'status_change' | 'comment' | 'edit' | 'assignment' | 'progress' | 'platform_status';
  at: Date;
  actor: string;
  data: Record<string, unknown>;
};

const insertSql = `
  INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
  SELECT $1, "taskId", seq, kind, at, actor, data
  FROM json_to_recordset($2::json) AS s ("taskId" text, seq int, kind text, at timestamptz, actor text, data jsonb)`;

/** Inserts entries. The tasks' rows are locked and their counters already raised. */
export async function insertTimeline({ db, tenantId }: DbScope, entries: readonly NewTimelineEntry[]): Promise<void> {
  if (entries.length > 0) await db.query(insertSql, [tenantId, JSON.stringify(entries)]);
}
