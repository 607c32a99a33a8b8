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

/** A CTE that inserts entries of the tenant $1, given as JSON. Who uses it wakes the followers of the tasks. */
export const insertTimelineSql = (entries: string): string => `
  recorded AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT $1, "taskId", seq, kind, at, actor, data
    FROM json_to_recordset(${entries}::json) AS e ("taskId" text, seq int, kind text, at timestamptz, actor text, data jsonb)
  )`;
const insertSql = `WITH ${insertTimelineSql('$2')} SELECT`;

/** Inserts entries and wakes the followers of the tasks. Their rows are locked and their counters already raised. */
export function insertTimeline(tx: Tx, entries: readonly NewTimelineEntry[]): void {
  if (entries.length === 0) return;
  sendWrite(tx, insertSql, [tx.tenantId, JSON.stringify(entries)]);
  for (const { taskId } of entries) tx.notify('stream', taskId);
}

/** How often a task was claimed: the number of its attempt while a lease lives. Parameters: names of its tenant and id. */
export const claimsSql = (tenantId: string, taskId: string): string => `
  (SELECT count(*)::int FROM task_timeline WHERE tenant_id = ${tenantId} AND task_id = ${taskId}
    AND kind = 'status_change' AND data ->> 'to' = 'in_progress' AND data ->> 'from' <> 'blocked')`;

/** Fields of an entry that is there, or inserted before in the transaction, and what they become. */
export type AmendedEntry = Pick<NewTimelineEntry, 'taskId' | 'seq'> & { data: Record<string, string> };

/** A comment that has a content again is no longer deleted. */
const amendSql = `
  WITH source AS (SELECT * FROM json_to_recordset($2::json) AS s ("taskId" text, seq int, data jsonb))
  UPDATE task_timeline e SET data = e.data - 'deleted_at' || s.data
  FROM source s WHERE e.tenant_id = $1 AND e.task_id = s."taskId" AND e.seq = s.seq
    AND e.task_id = ANY (ARRAY(SELECT "taskId" FROM source))`;

/** Changes existing entries in the given order. The rows of their tasks are locked. */
export function amendTimeline(tx: Tx, amended: readonly AmendedEntry[]): void {
  if (amended.length === 0) return;
  // One statement changes a row once.
  const byEntry = new Map(amended.map((one) => [`${one.taskId} ${one.seq}`, one]));
  sendWrite(tx, amendSql, [tx.tenantId, JSON.stringify([...byEntry.values()])]);
}
