import { maxShownBytes, maxShownEntries, type Milestone, type PlatformTask } from '@eas/contracts';
import { boundedRowsSql, type Db, type GatheredStatement } from '@eas/db';
import { exhaustedSql } from '../records/budgets/exhausted-sql.ts';
import { artifactsOfTaskSql, type ShownArtifact } from './artifacts/artifact.read-model.ts';
import type { ListedTask } from './task.read-model.ts';
import { statusSinceSql } from '../records/tasks/task-columns.ts';
import type { Task, TaskStatus } from '../records/tasks/task.ts';

type TaskWithProgress = ListedTask &
  Pick<
    Task,
    | 'description'
    | 'tags'
    | 'metadata'
    | 'updatedAt'
    | 'version'
    | 'workflowRunId'
    | 'fencingToken'
    | 'projectId'
    | 'reworkRounds'
  > & {
    percentComplete: number | null;
    estimateRemaining: string | null;
    milestones: Milestone[];
  };

const progressColumns = `
  id, title, description, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
  created_at AS "createdAt", due_date AS "dueDate", tags, metadata, updated_at AS "updatedAt", version,
  workflow_run_id AS "workflowRunId", project_id AS "projectId", fencing_token AS "fencingToken",
  rework_rounds AS "reworkRounds", percent_complete AS "percentComplete", estimate_remaining AS "estimateRemaining", milestones`;

/** The newest completions of a role that its median is over. */
export const medianOver = 100;

/** How long tasks of the role take, for an estimate: only if its agent reported none and the task is not final. */
const estimateColumns = `
  first_claimed_at AS "firstClaimedAt", CASE WHEN t.estimate_remaining IS NULL AND t.status NOT IN ('completed', 'failed', 'cancelled') THEN (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FROM (
      SELECT duration_ms FROM task_durations d WHERE d.tenant_id = t.tenant_id AND d.role = t.assigned_role
      ORDER BY completed_at DESC, task_id DESC LIMIT ${medianOver}
    ) AS newest
  ) END AS "medianMs"`;

/** What a task may wait for; times are as Postgres writes them into JSON. */
type WaitRow = Pick<Task, 'isHeld' | 'notBefore' | 'stalledAt' | 'acceptance'> & {
  /** When it got its status, or its platform put it on hold. */
  since: Date;
  lease: { expiresAt: string | null; reviveUntil: string | null } | null;
  blockingInput: { id: string; expiresAt: string } | null;
  review: { id: string; status: TaskStatus; since: string } | null;
  budget: { id: string; since: string; endsAt: string } | null;
};

/** Agents that may claim it: all of its role, or the pinned one. */
const whoMayClaim = {
  tenant: 't.tenant_id',
  role: 't.assigned_role',
  agent: 'CASE WHEN t.is_pinned THEN t.assigned_agent END',
  project: 't.project_id',
};

const waitColumns = `
  ${statusSinceSql('t')} AS since, is_held AS "isHeld", not_before AS "notBefore", stalled_at AS "stalledAt",
  contract AS acceptance,
  CASE WHEN t.lease_id IS NOT NULL THEN (
    SELECT json_build_object('expiresAt', expires_at, 'reviveUntil', revive_until) FROM leases l
    WHERE l.tenant_id = t.tenant_id AND l.id = t.lease_id
  ) END AS lease,
  CASE WHEN t.status = 'blocked' THEN (
    SELECT json_build_object('id', id, 'expiresAt', expires_at) FROM inputs i
    WHERE i.tenant_id = t.tenant_id AND i.task_id = t.id AND i.status = 'pending' AND i.is_blocking
  ) END AS "blockingInput",
  CASE WHEN t.status = 'in_review' THEN (
    SELECT json_build_object('id', id, 'status', status, 'since', ${statusSinceSql('r')}) FROM tasks r
    WHERE r.tenant_id = t.tenant_id AND r.id = t.review_task_id
  ) END AS review,
  CASE WHEN t.status IN ('created', 'open') THEN (
    SELECT json_build_object('id', b.id, 'since', p.exhausted_at, 'endsAt', p.ends_at) ${exhaustedSql(whoMayClaim)}
    ORDER BY p.ends_at DESC, b.id LIMIT 1
  ) END AS budget`;

/** A status change or a comment; `at` is the moment as Postgres writes it into JSON. */
export type ActivityRow = { kind: 'status_change' | 'comment'; at: string; data: Record<string, string> };
type Bounded<T> = { rows: T[]; isCut: boolean };

/** Maximum number of timeline entries to search for the activity, since entries of other kinds lie between. */
const maxSearched = 5_000;

const activitySql = boundedRowsSql({
  from: 'task_timeline e',
  where: `e.tenant_id = t.tenant_id AND e.task_id = t.id AND e.kind IN ('status_change', 'comment')
    AND NOT e.data ? 'deleted_at' AND e.seq > t.timeline_seq - ${maxSearched}`,
  key: 'e.seq',
  first: 'newest',
  json: `json_build_object('kind', e.kind, 'at', e.at, 'data', e.data)`,
  maxRows: maxShownEntries,
  maxBytes: maxShownBytes,
});

/** The result of its agent, while the task is completed or waits for a review. */
const whileSubmitted = (sql: string) => `CASE WHEN t.status IN ('completed', 'in_review') THEN ${sql} END`;
const outcomeColumns = `
  ${whileSubmitted("t.result ->> 'summary'")} AS summary, ${whileSubmitted("t.result -> 'result'")} AS result,
  ${whileSubmitted('code_quality')} AS "codeQuality",
  ${whileSubmitted('requirements_clarity')} AS "requirementsClarity"`;

/** The view is of the feature that keeps what platforms report. A task comes from one of them at most. */
const platformSql = `
  (SELECT p.platform FROM platform_task_view p WHERE p.tenant_id = t.tenant_id AND p.task_id = t.id LIMIT 1)`;

export type DetailedTask = TaskWithProgress &
  WaitRow &
  Pick<Task, 'codeQuality' | 'requirementsClarity'> & {
    firstClaimedAt: Date | null;
    medianMs: number | null;
    summary: string | null;
    result: Record<string, unknown> | null;
    activity: Bounded<ActivityRow>;
    hasOlderEntries: boolean;
    artifacts: Bounded<ShownArtifact>;
    platform: PlatformTask | null;
  };

const detailSql = `
  SELECT position::int, ${progressColumns}, ${waitColumns}, ${estimateColumns}, ${outcomeColumns},
    ${activitySql} AS activity, t.timeline_seq > ${maxSearched} AS "hasOlderEntries",
    ${artifactsOfTaskSql('t.tenant_id', 't.id')} AS artifacts, ${platformSql} AS platform
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (asked_tenant, asked_id, position)
  JOIN tasks t ON t.tenant_id = asked_tenant AND t.id = asked_id`;

/** Tasks of any tenants, each with its newest activity and artifacts, from one snapshot. Gathered. */
export const findTasksInDetail: GatheredStatement<{ tenantId: string; id: string }, DetailedTask | undefined> =
  Object.assign(readTasksInDetail, { maxItems: 20 });

async function readTasksInDetail(db: Db, asked: readonly { tenantId: string; id: string }[]) {
  const keys = [asked.map(({ tenantId }) => tenantId), asked.map(({ id }) => id)];
  const found = new Map<number, DetailedTask>();
  for (const { position, ...task } of await db.query<DetailedTask & { position: number }>(detailSql, keys))
    found.set(position, task);
  return asked.map((_, index) => ({ ok: true as const, value: found.get(index + 1) }));
}
