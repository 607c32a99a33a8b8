import {
  type Db,
  type DbScope,
  eventColumnsSql,
  type EventRow,
  insertEventsSql,
  type BatchResult,
  sendWrite,
  type Tx,
  type Wake,
} from '@eas/db';
import type { Task } from './task.ts';
import { taskSql } from './task-columns.ts';
import { workKeyOf } from './work-key.ts';

const newFields = [
  'id',
  'title',
  'description',
  'priority',
  'dueDate',
  'assignedRole',
  'assignedAgent',
  'tags',
  'metadata',
  'createdAt',
  'isHeld',
  'acceptance',
  'reviewOf',
  'notFor',
  'workflowRunId',
  'projectId',
] as const;

export type NewTaskRow = Pick<Task, (typeof newFields)[number]> & {
  rank: Date;
  /** Why it is planned for the agent; null where a person chose the agent, or there is none. */
  planReason: string | null;
  actor: string;
} & EventRow;

/** The fields of a task that are inserted; the others begin with what the database gives them. */
export const newTask = (task: Pick<Task, (typeof newFields)[number]>) => taskSql.pick(newFields, task);

const insertSql = `
  WITH source AS (
    SELECT * FROM json_to_recordset($1::json) AS s (
      ${taskSql.record(newFields)}, rank timestamptz, "planReason" text, actor text, ${eventColumnsSql})
  ), inserted_tasks AS (
    INSERT INTO tasks (tenant_id, ${taskSql.names(newFields)}, updated_at, rank, is_pinned, timeline_seq, traceparent)
    SELECT tenant_id, ${taskSql.values(newFields, 'source')}, "createdAt", rank,
      "assignedAgent" IS NOT NULL AND "planReason" IS NULL, CASE WHEN "planReason" IS NULL THEN 1 ELSE 2 END,
      traceparent
    FROM source
  ), inserted_timeline AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT tenant_id, id, 1, 'created', "createdAt", actor, '{}' FROM source
    UNION ALL
    SELECT tenant_id, id, 2, 'assignment', "createdAt", 'system',
      jsonb_build_object('assigned_agent', "assignedAgent", 'reason', "planReason")
    FROM source WHERE "planReason" IS NOT NULL
  ), inserted_labels AS (
    INSERT INTO task_labels (tenant_id, label, task_id)
    SELECT tenant_id, label, id FROM source, task_labels_of(tags, metadata, "workflowRunId", "projectId") AS label
  ), ${insertEventsSql('source')}
  SELECT`;

/**
 * Inserts tasks of any tenants with their first timeline entry, their labels, task.created and its outbox rows.
 * Gathered.
 */
export async function insertTasks(db: Db, rows: readonly NewTaskRow[], wake: Wake): Promise<BatchResult<void>[]> {
  await db.query(insertSql, [JSON.stringify(rows)]);
  wake('outbox', '');
  for (const row of rows) wake('work', newWorkKey(row));
  return rows.map(() => ({ ok: true, value: undefined }));
}

function newWorkKey(row: NewTaskRow): string {
  const isPinned = row.assignedAgent !== null && row.planReason === null;
  return workKeyOf(row.tenant_id, { ...row, isPinned, lostBy: null, restsUntil: null }, row.createdAt);
}

const lockSql = `SELECT ${taskSql.select('t')} FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2 FOR NO KEY UPDATE`;

/** Locks a task until the transaction ends. Undefined: no such task in the tenant. */
export async function lockTask({ db, tenantId }: DbScope, id: string): Promise<Task | undefined> {
  const [task] = await db.query<Task>(lockSql, [tenantId, id]);
  return task;
}

const lockManySql = `
  SELECT ${taskSql.select('t')} FROM tasks t WHERE t.tenant_id = $1 AND t.id = ANY ($2) ORDER BY t.id FOR NO KEY UPDATE`;

/** Locks tasks, always in the same order. */
export async function lockTasks({ db, tenantId }: DbScope, ids: readonly string[]): Promise<Task[]> {
  return ids.length === 0 ? [] : db.query<Task>(lockManySql, [tenantId, ids]);
}

const fixedFields: readonly string[] = ['id', 'createdAt', 'workflowRunId'];
const changingFields = taskSql.fields.filter((field) => !fixedFields.includes(field));
const savedFields = ['id', ...changingFields] as const;
const updateSql = `
  UPDATE tasks SET rank = $3, ${taskSql.assignParameters(changingFields, 4)} WHERE tenant_id = $1 AND id = $2`;

/** Writes back a task that lockTask gave. The caller has raised version and timelineSeq. */
export function updateTask(tx: Tx, task: Task, rank: Date): void {
  sendWrite(tx, updateSql, [tx.tenantId, task.id, rank, ...taskSql.parameters(changingFields, task)]);
}

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const updateManySql = `
  WITH source AS (SELECT * FROM json_to_recordset($2::json) AS s (rank timestamptz, ${taskSql.record(savedFields)}))
  UPDATE tasks t SET rank = s.rank, ${taskSql.assign(changingFields, 's')}
  FROM source s WHERE t.tenant_id = $1 AND t.id = s.id AND t.id = ANY (ARRAY(SELECT id FROM source))`;

/** As updateTask, for several tasks, each once. */
export function updateTasks(tx: Tx, rows: readonly { task: Task; rank: Date }[]): void {
  if (rows.length === 0) return;
  const values = rows.map(({ task, rank }) => ({ rank, ...taskSql.pick(savedFields, task) }));
  sendWrite(tx, updateManySql, [tx.tenantId, JSON.stringify(values)]);
}

const checkpointSql = `
  UPDATE tasks SET checkpoint = $3, updated_at = app_now(), stalled_at = NULL WHERE tenant_id = $1 AND id = $2`;

/** Stores what an agent leaves for the next attempt and replaces the previous one; null deletes it. */
export async function keepCheckpoint(
  { db, tenantId }: DbScope,
  id: string,
  data: Record<string, unknown> | null,
): Promise<void> {
  await db.query(checkpointSql, [tenantId, id, data === null ? null : JSON.stringify(data)]);
}
