import type { TaskContract } from '@eas/contracts';
import {
  type Db,
  type DbScope,
  eventColumnsSql,
  type EventRow,
  insertEventsSql,
  type Outcome,
  sendWrite,
  type Tx,
  type Wake,
} from '@eas/db';
import type { Task } from './task.ts';
import { workKeyOf } from './work-key.ts';

/** A task to be inserted, with the event that tells of it. Column names, so that Postgres reads it as it is. */
export type NewTaskRow = {
  id: string;
  title: string;
  description: string;
  priority: string;
  due_date: Date | null;
  assigned_role: string | null;
  assigned_agent: string | null;
  tags: string[];
  metadata: unknown;
  created_at: Date;
  rank: Date;
  is_held: boolean;
  contract: TaskContract | null;
  review_of: string | null;
  not_for: string | null;
  workflow_run_id: string | null;
  /** Why it is planned for the agent; null where a person chose it, or nobody did. */
  plan_reason: string | null;
  actor: string;
} & EventRow;

const insertSql = `
  WITH source AS (
    SELECT * FROM json_to_recordset($1::json) AS s (
      id text, title text, description text, priority text, due_date timestamptz, assigned_role text,
      assigned_agent text, tags text[], metadata jsonb, created_at timestamptz, rank timestamptz, is_held boolean,
      contract jsonb, review_of text, not_for text, workflow_run_id text, plan_reason text,
      actor text, ${eventColumnsSql})
  ), inserted_tasks AS (
    INSERT INTO tasks (tenant_id, id, title, description, priority, due_date, assigned_role, assigned_agent, is_pinned,
      tags, metadata, created_at, updated_at, rank, is_held, contract, review_of, not_for, workflow_run_id,
      timeline_seq)
    SELECT tenant_id, id, title, description, priority, due_date, assigned_role, assigned_agent,
      assigned_agent IS NOT NULL AND plan_reason IS NULL, tags, metadata, created_at, created_at, rank, is_held,
      contract, review_of, not_for, workflow_run_id, CASE WHEN plan_reason IS NULL THEN 1 ELSE 2 END
    FROM source
  ), inserted_timeline AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT tenant_id, id, 1, 'created', created_at, actor, '{}' FROM source
    UNION ALL
    SELECT tenant_id, id, 2, 'assignment', created_at, 'system',
      jsonb_build_object('assigned_agent', assigned_agent, 'reason', plan_reason)
    FROM source WHERE plan_reason IS NOT NULL
  ), inserted_labels AS (
    INSERT INTO task_labels (tenant_id, label, task_id)
    SELECT tenant_id, label, id FROM source, task_labels_of(tags, metadata, workflow_run_id) AS label
  ), ${insertEventsSql('source')}
  SELECT`;

/** Inserts tasks of any tenants with their first timeline entry, their labels, task.created and what its consumers owe. Gathered. */
export async function insertTasks(db: Db, rows: readonly NewTaskRow[], wake: Wake): Promise<Outcome<void>[]> {
  await db.query(insertSql, [JSON.stringify(rows)]);
  wake('outbox', '');
  for (const row of rows) wake('work', newWorkKey(row));
  return rows.map(() => ({ ok: true, value: undefined }));
}

function newWorkKey(row: NewTaskRow): string {
  const { tenant_id: tenantId, assigned_role: assignedRole, assigned_agent: assignedAgent, not_for: notFor } = row;
  const isPinned = assignedAgent !== null && row.plan_reason === null;
  const task = { assignedRole, assignedAgent, isPinned, notFor, lostBy: null, restsUntil: null };
  return workKeyOf(tenantId, task, row.created_at);
}

/** Columns of a Task, for SELECT and RETURNING. `alias` is the table's. */
export const taskColumns = (alias: string) =>
  [
    'id, title, description, status, priority, tags, metadata, version, result',
    'due_date AS "dueDate", assigned_role AS "assignedRole", assigned_agent AS "assignedAgent"',
    'created_at AS "createdAt", updated_at AS "updatedAt", timeline_seq AS "timelineSeq"',
    'fencing_token AS "fencingToken", lease_id AS "leaseId", lost_leases AS "lostLeases", failures',
    'not_before AS "notBefore", lost_by AS "lostBy", rests_until AS "restsUntil", directive_seq AS "directiveSeq", contract',
    'review_of AS "reviewOf", review_task_id AS "reviewTaskId", stalled_at AS "stalledAt"',
    'comment_count AS "commentCount", not_for AS "notFor", workflow_run_id AS "workflowRunId"',
    'percent_complete AS "percentComplete", estimate_remaining AS "estimateRemaining", milestones',
    'is_held AS "isHeld", is_pinned AS "isPinned"',
    'first_claimed_at AS "firstClaimedAt", completed_at AS "completedAt", completed_by AS "completedBy"',
    'code_quality AS "codeQuality", requirements_clarity AS "requirementsClarity"',
  ]
    .join(', ')
    .split(', ')
    .map((column) => `${alias}.${column}`)
    .join(', ');

const lockSql = `SELECT ${taskColumns('t')} FROM tasks t WHERE t.tenant_id = $1 AND t.id = $2 FOR NO KEY UPDATE`;

/** Locks a task until the transaction ends. Undefined: no such task in the tenant. */
export async function lockTask({ db, tenantId }: DbScope, id: string): Promise<Task | undefined> {
  const [task] = await db.query<Task>(lockSql, [tenantId, id]);
  return task;
}

const updateSql = `
  UPDATE tasks SET title = $3, description = $4, status = $5, priority = $6, due_date = $7, assigned_agent = $8,
    tags = $9, updated_at = $10, version = $11, timeline_seq = $12, fencing_token = $13, lease_id = $14,
    lost_leases = $15, is_held = $16, completed_at = $17, completed_by = $18, code_quality = $19,
    requirements_clarity = $20, result = $21, rank = $22, first_claimed_at = $23,
    assigned_role = $24, is_pinned = $25, metadata = $26, failures = $27, not_before = $28, lost_by = $29,
    directive_seq = $30, contract = $31, review_of = $32, review_task_id = $33, stalled_at = $34,
    percent_complete = $35, estimate_remaining = $36, milestones = $37, not_for = $38, rests_until = $39, comment_count = $40
  WHERE tenant_id = $1 AND id = $2`;

/** Writes back a task that lockTask gave. The caller has raised version and timelineSeq. */
export function updateTask(tx: Tx, task: Task, rank: Date): void {
  sendWrite(tx, updateSql, [
    tx.tenantId,
    task.id,
    task.title,
    task.description,
    task.status,
    task.priority,
    task.dueDate,
    task.assignedAgent,
    task.tags,
    task.updatedAt,
    task.version,
    task.timelineSeq,
    task.fencingToken,
    task.leaseId,
    task.lostLeases,
    task.isHeld,
    task.completedAt,
    task.completedBy,
    task.codeQuality,
    task.requirementsClarity,
    task.result === null ? null : JSON.stringify(task.result),
    rank,
    task.firstClaimedAt,
    task.assignedRole,
    task.isPinned,
    JSON.stringify(task.metadata),
    task.failures,
    task.notBefore,
    task.lostBy,
    task.directiveSeq,
    task.contract === null ? null : JSON.stringify(task.contract),
    task.reviewOf,
    task.reviewTaskId,
    task.stalledAt,
    task.percentComplete,
    task.estimateRemaining,
    JSON.stringify(task.milestones),
    task.notFor,
    task.restsUntil,
    task.commentCount,
  ]);
}

const checkpointSql = `
  UPDATE tasks SET checkpoint = $3, updated_at = app_now(), stalled_at = NULL WHERE tenant_id = $1 AND id = $2`;

/** Keeps what an agent leaves for the next attempt, in place of what was left before; null forgets it. */
export async function keepCheckpoint(
  { db, tenantId }: DbScope,
  id: string,
  data: Record<string, unknown> | null,
): Promise<void> {
  await db.query(checkpointSql, [tenantId, id, data === null ? null : JSON.stringify(data)]);
}
