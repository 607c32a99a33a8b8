import {
  type Page,
  type PageOfItems,
  type TaskFilter,
  taskPriorities,
  taskStatuses,
  withoutAgent,
} from '@eas/contracts';
import { AppError, idLowerBound } from '@eas/core';
import { type Condition, type DbScope, equals, fetchPage, firstRowsSql, type ListSource, rowByKeySql } from '@eas/db';
import { statusSinceSql, type TaskStatus } from '../records/tasks/task-columns.ts';
import type { Task } from '../records/tasks/task.ts';

export type ListedTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'assignedRole' | 'assignedAgent' | 'createdAt' | 'dueDate'
>;

type TaskRow = ListedTask & { statusSince: Date };

const source: ListSource = {
  from: 'tasks',
  columns: `id, title, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
    created_at AS "createdAt", due_date AS "dueDate", ${statusSinceSql('tasks')} AS "statusSince"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    title: { sql: 'title', type: 'text' },
    status: { sql: 'status', type: 'text', order: taskStatuses },
    priority: { sql: 'priority', type: 'text', order: taskPriorities },
    assigned_role: { sql: 'assigned_role', type: 'text', isNullable: true },
    assigned_agent: { sql: 'assigned_agent', type: 'text', isNullable: true },
    // The id has the same time.
    created_at: { sql: 'id', type: 'text' },
    due_date: { sql: 'due_date', type: 'timestamptz', isNullable: true },
    // Tasks in review and failed ones have it, and an index each.
    review_since: { sql: 'waits_since', type: 'timestamptz' },
    failed_at: { sql: 'waits_since', type: 'timestamptz' },
  },
  totals: {
    from: `(SELECT tenant_id, status, nullif(role, '') AS role, n FROM task_counts WHERE tenant_id = $1
      UNION ALL SELECT tenant_id, status, nullif(role, ''), n FROM task_count_deltas WHERE tenant_id = $1) AS counted`,
    columns: { status: 'status', assigned_role: 'role' },
  },
};

const byLabel = (name: string, value: string | undefined): Condition => ({
  sql: (label) => `id IN (SELECT task_id FROM task_labels WHERE tenant_id = $1 AND label = ${label})`,
  value: value === undefined ? undefined : `${name}:${value}`,
  ids: { from: 'task_labels', id: 'task_id', sql: (label) => `label = ${label}` },
});

const reviewerSql = `CASE WHEN EXISTS (
  SELECT FROM tasks review WHERE review.tenant_id = $1 AND review.id = tasks.review_task_id
    AND review.status NOT IN ('completed', 'failed', 'cancelled')) THEN 'agent' ELSE 'person' END`;

/** Who decides about a task in review, as `waitingOn` has it. */
const reviewBy = (value: string | undefined): Condition => ({
  sql: (reviewer) => `status = 'in_review' AND ${reviewerSql} = ${reviewer}`,
  value,
});

/** The index orders by creation, and holds the due date in a form that no other condition asks for. */
const dueBefore = (value: Date | undefined): Condition => ({
  sql: (moment) => `due_date < ${moment}`,
  value,
  ids: {
    from: 'tasks',
    id: 'id',
    sql: (moment) => `due_date IS NOT NULL AND due_date AT TIME ZONE 'UTC' < ${moment}::timestamptz AT TIME ZONE 'UTC'`,
    nearest: 'created_at',
  },
});

const noAgentSql = (isAsked: string) => `assigned_agent IS NULL AND ${isAsked}::boolean`;
const noAgent: Condition = {
  sql: noAgentSql,
  value: true,
  ids: { from: 'tasks', id: 'id', sql: noAgentSql, isNull: 'assigned_agent' },
};

const byAgent = (value: string | undefined): Condition =>
  value === withoutAgent ? noAgent : equals('assigned_agent', value);

/** The smallest id of a time: created_at in terms of the primary key. */
function idAt(at: Date | undefined, afterMs = 0): string | undefined {
  return at && idLowerBound('task', Math.max(0, at.getTime() + afterMs));
}

/** The words of the partial index that gives them by their due date. */
const overdue = (now: Date | undefined): Condition => ({
  sql: (moment) => `due_date < ${moment} AND status NOT IN ('completed', 'failed', 'cancelled')`,
  value: now,
});

const failedAfter = (value: Date | undefined): Condition => ({
  sql: (moment) => `status = 'failed' AND waits_since > ${moment}`,
  value,
});

function conditionsOf(filter: TaskFilter, now: Date): Condition[] {
  const { created_at: at, created_after: after, created_before: before } = filter;
  const compared = (sql: string, value: unknown): Condition => ({
    sql: (placeholder) => `${sql} ${placeholder}`,
    value,
  });
  return [
    ...(['id', 'title', 'status', 'priority', 'assigned_role', 'due_date'] as const).map((field) =>
      equals(field, filter[field]),
    ),
    byAgent(filter.assigned_agent),
    equals('created_at', at),
    compared('id >=', idAt(at)),
    compared('id <', idAt(at, 1)),
    compared('id >=', idAt(after, 1)),
    compared('id <', idAt(before)),
    byLabel('tag', filter.tag),
    byLabel('run', filter.workflow_run_id),
    byLabel('project', filter.project),
    byLabel('ticket_id', filter['metadata.ticket_id']),
    byLabel('repository', filter['metadata.repository']),
    reviewBy(filter.review_by),
    dueBefore(filter.due_before),
    overdue(filter.is_overdue && now),
    failedAfter(filter.failed_after),
  ];
}

export async function pageTasks(
  scope: DbScope,
  { filter, now }: { filter: TaskFilter; now: Date },
  page: Page,
): Promise<PageOfItems<TaskRow>> {
  return fetchPage<TaskRow>(scope, source, conditionsOf(filter, now), page);
}

const countsSql = `
  SELECT status, sum(n)::bigint AS n FROM (
    SELECT status, n FROM task_counts WHERE tenant_id = $1
    UNION ALL SELECT status, n FROM task_count_deltas WHERE tenant_id = $1
  ) AS counted GROUP BY status`;

/** Stored numbers, updated by every write; a status that no task ever had is missing. */
export async function countByStatus({ db, tenantId }: DbScope): Promise<{ status: TaskStatus; n: number }[]> {
  return db.query<{ status: TaskStatus; n: number }>(countsSql, [tenantId]);
}

const existsSql = 'SELECT FROM tasks WHERE tenant_id = $1 AND id = $2';

/** Throws 404 when the tenant has no task of that id. */
export async function assertTaskExists({ db, tenantId }: DbScope, id: string): Promise<void> {
  if ((await db.query(existsSql, [tenantId, id])).length > 0) return;
  throw new AppError('not_found', { message: 'The task does not exist.' });
}

const namedSql = `
  SELECT 'id' AS kind, t.id AS name, t.id FROM unnest($2::text[]) AS s (id)
  ${rowByKeySql('t', { from: 'tasks', where: 'tenant_id = $1 AND id = s.id', select: 'id' })}
  UNION ALL
  SELECT 'ticket', s.ticket, t.task_id FROM unnest($3::text[]) AS s (ticket)
  ${firstRowsSql('t', {
    from: 'task_labels',
    where: `tenant_id = $1 AND label = 'ticket_id:' || s.ticket`,
    orderBy: 'task_id DESC',
  })}`;

/** Those of the ids that tasks have, and for each ticket the newest task whose metadata.ticket_id it is. */
export async function findNamedTasks(
  { db, tenantId }: DbScope,
  { ids, tickets }: { ids: readonly string[]; tickets: readonly string[] },
): Promise<{ ids: ReadonlySet<string>; byTicket: ReadonlyMap<string, string> }> {
  const values = [tenantId, [...new Set(ids)], [...new Set(tickets)]];
  const isEmpty = ids.length + tickets.length === 0;
  const rows = isEmpty ? [] : await db.query<{ kind: string; name: string; id: string }>(namedSql, values);
  const of = (kind: string) => rows.filter((row) => row.kind === kind);
  return {
    ids: new Set(of('id').map(({ id }) => id)),
    byTicket: new Map(of('ticket').map(({ name, id }) => [name, id])),
  };
}
