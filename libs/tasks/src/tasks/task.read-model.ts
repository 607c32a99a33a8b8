import {
  type Milestone,
  type Page,
  type PageOfItems,
  type TaskFilter,
  taskPriorities,
  taskStatuses,
} from '@eas/contracts';
import { idLowerBound } from '@eas/core';
import { type Condition, type Db, type DbScope, equals, fetchPage, type ListSource, type Outcome } from '@eas/db';
import type { Task, TaskStatus } from './task.ts';

type ListedTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'assignedRole' | 'assignedAgent' | 'createdAt' | 'dueDate'
>;

const source: ListSource = {
  from: 'tasks',
  columns: `id, title, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
    created_at AS "createdAt", due_date AS "dueDate"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    title: { sql: 'title', type: 'text' },
    status: { sql: 'status', type: 'text', order: taskStatuses },
    priority: { sql: 'priority', type: 'text', order: taskPriorities },
    assigned_role: { sql: 'assigned_role', type: 'text', isNullable: true },
    assigned_agent: { sql: 'assigned_agent', type: 'text', isNullable: true },
    // The id tells the same moment.
    created_at: { sql: 'id', type: 'text' },
    due_date: { sql: 'due_date', type: 'timestamptz', isNullable: true },
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

/** The smallest id of a moment: what tells created_at to the primary key. */
function idAt(at: Date | undefined, afterMs = 0): string | undefined {
  return at && idLowerBound('task', Math.max(0, at.getTime() + afterMs));
}

function conditionsOf(filter: TaskFilter): Condition[] {
  const { created_at: at, created_after: after, created_before: before } = filter;
  const compared = (sql: string, value: unknown): Condition => ({
    sql: (placeholder) => `${sql} ${placeholder}`,
    value,
  });
  return [
    ...(['id', 'title', 'status', 'priority', 'assigned_role', 'assigned_agent', 'due_date'] as const).map((field) =>
      equals(field, filter[field]),
    ),
    equals('created_at', at),
    compared('id >=', idAt(at)),
    compared('id <', idAt(at, 1)),
    compared('id >=', idAt(after, 1)),
    compared('id <', idAt(before)),
    byLabel('tag', filter.tag),
    byLabel('run', filter.workflow_run_id),
    byLabel('ticket_id', filter['metadata.ticket_id']),
    byLabel('repository', filter['metadata.repository']),
    dueBefore(filter.due_before),
  ];
}

/** A page of tasks and how many match in all. */
export async function pageTasks(scope: DbScope, filter: TaskFilter, page: Page): Promise<PageOfItems<ListedTask>> {
  return fetchPage<ListedTask>(scope, source, conditionsOf(filter), page);
}

export type TaskWithProgress = ListedTask &
  Pick<Task, 'description' | 'tags' | 'metadata' | 'updatedAt' | 'version' | 'workflowRunId'> & {
    percentComplete: number | null;
    estimateRemaining: string | null;
    milestones: Milestone[];
  };

const progressColumns = `
  id, title, description, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
  created_at AS "createdAt", due_date AS "dueDate", tags, metadata, updated_at AS "updatedAt", version,
  workflow_run_id AS "workflowRunId",
  percent_complete AS "percentComplete", estimate_remaining AS "estimateRemaining", milestones`;

/** The newest completions of a role that its median is over. */
export const medianOver = 100;

/** How long tasks of the role take, where that tells what is left: nobody said, and the task is not final. */
const estimateColumns = `
  first_claimed_at AS "firstClaimedAt", CASE WHEN t.estimate_remaining IS NULL AND t.status NOT IN ('completed', 'failed', 'cancelled') THEN (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FROM (
      SELECT duration_ms FROM task_durations d WHERE d.tenant_id = t.tenant_id AND d.role = t.assigned_role
      ORDER BY completed_at DESC, task_id DESC LIMIT ${medianOver}
    ) AS newest
  ) END AS "medianMs"`;

/** What a task may wait for; moments are as Postgres writes them into JSON. */
export type WaitRow = Pick<Task, 'isHeld' | 'notBefore' | 'stalledAt' | 'contract'> & {
  lease: { expiresAt: string | null; reviveUntil: string | null } | null;
  blockingInput: { id: string; expiresAt: string } | null;
  review: { id: string; status: TaskStatus } | null;
};

const waitColumns = `
  is_held AS "isHeld", not_before AS "notBefore", stalled_at AS "stalledAt", contract,
  CASE WHEN t.lease_id IS NOT NULL THEN (
    SELECT json_build_object('expiresAt', expires_at, 'reviveUntil', revive_until) FROM leases l
    WHERE l.tenant_id = t.tenant_id AND l.id = t.lease_id
  ) END AS lease,
  CASE WHEN t.status = 'blocked' THEN (
    SELECT json_build_object('id', id, 'expiresAt', expires_at) FROM inputs i
    WHERE i.tenant_id = t.tenant_id AND i.task_id = t.id AND i.status = 'pending' AND i.is_blocking
  ) END AS "blockingInput",
  CASE WHEN t.status = 'in_review' THEN (
    SELECT json_build_object('id', id, 'status', status) FROM tasks r
    WHERE r.tenant_id = t.tenant_id AND r.id = t.review_task_id
  ) END AS review`;

/** A status change or a comment; `at` is the moment as Postgres writes it into JSON. */
export type ActivityRow = { kind: 'status_change' | 'comment'; at: string; data: Record<string, string> };
export type TaskWithActivity = TaskWithProgress &
  WaitRow & { firstClaimedAt: Date | null; medianMs: number | null; activity: ActivityRow[] };

/** Of a longer history the newest entries are shown. */
const maxActivity = 100_000;

const withActivitySql = `
  SELECT place::int, ${progressColumns}, ${waitColumns}, ${estimateColumns}, (
    SELECT coalesce(json_agg(json_build_object('kind', kind, 'at', at, 'data', data) ORDER BY seq), '[]')
    FROM (
      SELECT seq, kind, at, data FROM task_timeline e
      WHERE e.tenant_id = t.tenant_id AND e.task_id = t.id AND kind IN ('status_change', 'comment')
      ORDER BY seq DESC LIMIT ${maxActivity}
    ) AS newest
  ) AS activity
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (asked_tenant, asked_id, place)
  JOIN tasks t ON t.tenant_id = asked_tenant AND t.id = asked_id`;

/** Tasks of any tenants, each with its activity, oldest entry first, as both are at one moment. Gathered. */
export async function findTasksWithActivity(
  db: Db,
  asked: readonly { tenantId: string; id: string }[],
): Promise<Outcome<TaskWithActivity | undefined>[]> {
  const keys = [asked.map(({ tenantId }) => tenantId), asked.map(({ id }) => id)];
  const found = new Map<number, TaskWithActivity>();
  for (const { place, ...task } of await db.query<TaskWithActivity & { place: number }>(withActivitySql, keys))
    found.set(place, task);
  return asked.map((_, index) => ({ ok: true, value: found.get(index + 1) }));
}

const existsSql = 'SELECT FROM tasks WHERE tenant_id = $1 AND id = $2';

export async function taskExists({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  return (await db.query(existsSql, [tenantId, id])).length > 0;
}
