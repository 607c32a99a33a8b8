import type { TimelineItem } from '@eas/contracts';
import { sendWrite, type Tx } from '@eas/db';

/** One entry of a task's timeline; `seq` comes from the task's counter. */
export type NewTimelineEntry = {
  taskId: string;
  seq: number;
  kind: TimelineItem['type'];
  at: Date;
  actor: string;
  data: Record<string, unknown>;
};

const insertSql = `
  INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
  SELECT $1, "taskId", seq, kind, at, actor, data
  FROM json_to_recordset($2::json) AS s ("taskId" text, seq int, kind text, at timestamptz, actor text, data jsonb)`;

/** Inserts entries and wakes who follows the tasks. Their rows are locked and their counters already raised. */
export function insertTimeline(tx: Tx, entries: readonly NewTimelineEntry[]): void {
  if (entries.length === 0) return;
  sendWrite(tx, insertSql, [tx.tenantId, JSON.stringify(entries)]);
  for (const { taskId } of entries) tx.notify('stream', taskId);
}

/** What a comment was deleted at goes when it has a content again. */
const updateSql = `
  UPDATE task_timeline SET data = data - 'deleted_at' || $4::jsonb
  WHERE tenant_id = $1 AND task_id = $2 AND seq = $3 AND kind = 'comment'`;

/** Changes the entry of a comment where it stands. The row of its task is locked. */
export function updateComment(
  tx: Tx,
  { taskId, seq }: Pick<NewTimelineEntry, 'taskId' | 'seq'>,
  data: { content: string; edited_at?: string; deleted_at?: string },
): void {
  sendWrite(tx, updateSql, [tx.tenantId, taskId, seq, JSON.stringify(data)]);
}
