import { type DbScope, sendWrite, type Tx } from '@eas/db';
import { type WorkKeyFields, workKeyColumns } from './work-key.ts';
import { isEligibleSql, requiredCapabilitiesSql } from './eligibility.ts';
import type { Task, TaskWithFacts } from './task.ts';

export type PlannableTask = WorkKeyFields & {
  id: string;
  title: string;
  assignedRole: string;
  timelineSeq: number;
  updatedAt: Date;
  requiredCapabilities: string[];
};

const isPlannable = `
  tenant_id = $1 AND id = ANY ($2) AND status IN ('created', 'open') AND assigned_agent IS NULL
    AND assigned_role IS NOT NULL`;

const lockSql = `
  SELECT id, title, timeline_seq AS "timelineSeq", updated_at AS "updatedAt", ${workKeyColumns('t')},
    ${requiredCapabilitiesSql('t')} AS "requiredCapabilities"
  FROM tasks t WHERE ${isPlannable} ORDER BY rank, id FOR NO KEY UPDATE`;

/** Locks those of the tasks that are open and have no planned agent. It waits for locked ones. */
async function lockPlannable({ db, tenantId }: DbScope, ids: readonly string[]): Promise<PlannableTask[]> {
  return ids.length === 0 ? [] : db.query<PlannableTask>(lockSql, [tenantId, ids]);
}

const lockFreeSql = `${lockSql} SKIP LOCKED`;
const lockedSql = `SELECT id FROM tasks WHERE ${isPlannable} AND NOT id = ANY ($3)`;

/**
 * Locks those of the tasks that are open, have no planned agent and are not locked. The others are `locked`: to wait
 * for them would keep the free ones from being claimed. The transaction that has them locked may claim them, and then
 * they need no plan.
 */
export async function lockFreePlannable(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<{ tasks: PlannableTask[]; locked: string[] }> {
  if (ids.length === 0) return { tasks: [], locked: [] };
  const tasks = await db.query<PlannableTask>(lockFreeSql, [tenantId, ids]);
  if (tasks.length === ids.length) return { tasks, locked: [] };
  const locked = await db.query<{ id: string }>(lockedSql, [tenantId, ids, tasks.map(({ id }) => id)]);
  return { tasks, locked: locked.map(({ id }) => id) };
}

/** Where a role's open tasks have been read up to. */
export type PlanCursor = { rank: string; id: string };

/** Maximum number of open tasks of a role to read at once. */
const walkSize = 2_000;

const walkSql = `
  WITH walked AS (
    SELECT id, rank, assigned_agent FROM tasks
    WHERE tenant_id = $1 AND assigned_role = $2 AND status IN ('created', 'open') AND NOT is_held
      AND (rank, id) > ($3::timestamptz, $4::text)
    ORDER BY rank, id LIMIT ${walkSize}
  )
  SELECT array(SELECT id FROM walked WHERE assigned_agent IS NULL) AS ids, rank, id, (SELECT count(*) FROM walked) AS n
  FROM walked ORDER BY rank DESC, id DESC LIMIT 1`;

/**
 * Locks open tasks of a role without a planned agent, in the order of claims, and returns where to continue. It waits
 * for locked ones: their transaction may leave them without a plan, because it did not see the new agent.
 */
export async function lockUnplanned(
  { db, tenantId }: DbScope,
  role: string,
  after: PlanCursor | null,
): Promise<{ tasks: PlannableTask[]; next: PlanCursor | null }> {
  const from = after ?? { rank: '-infinity', id: '' };
  const values = [tenantId, role, from.rank, from.id];
  const [walked] = await db.query<{ ids: string[]; rank: Date; id: string; n: number }>(walkSql, values);
  if (!walked) return { tasks: [], next: null };
  const { ids, rank, id, n } = walked;
  const tasks = await lockPlannable({ db, tenantId }, ids);
  return { tasks, next: n < walkSize ? null : { rank: rank.toISOString(), id } };
}

const assignSql = `
  UPDATE tasks SET assigned_agent = s.agent_id, updated_at = greatest(updated_at, $4), version = version + 1, timeline_seq = timeline_seq + 1
  FROM unnest($2::text[], $3::text[]) AS s (task_id, agent_id)
  WHERE tenant_id = $1 AND id = s.task_id AND id = ANY ($2)`;

/** Plans locked tasks; each gets one timeline entry. */
export function assignTasks(tx: Tx, plans: readonly { task: { id: string }; agentId: string }[], at: Date): void {
  sendWrite(tx, assignSql, [tx.tenantId, plans.map(({ task }) => task.id), plans.map(({ agentId }) => agentId), at]);
}

export type UnassignedTask = TaskWithFacts &
  WorkKeyFields &
  Pick<Task, 'id' | 'title' | 'timelineSeq' | 'updatedAt' | 'isHeld'>;

const unassignSql = `
  WITH planned AS (
    SELECT id FROM tasks
    WHERE tenant_id = $1 AND assigned_agent = $2 AND status NOT IN ('completed', 'failed', 'cancelled')
      AND lease_id IS NULL AND NOT (is_pinned AND $4) AND NOT ($5 AND (
        SELECT ${isEligibleSql('tasks', (column) => `a.${column}`)} FROM agents a WHERE a.tenant_id = $1 AND a.id = $2))
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE tasks t SET assigned_agent = NULL, is_pinned = false, updated_at = greatest(t.updated_at, $3), version = version + 1,
    timeline_seq = timeline_seq + 1
  FROM planned WHERE t.tenant_id = $1 AND t.id = planned.id
  RETURNING t.id, t.title, t.status, t.version, t.timeline_seq AS "timelineSeq", t.updated_at AS "updatedAt",
    ${workKeyColumns('t')}, t.is_held AS "isHeld", t.created_at AS "createdAt", t.due_date AS "dueDate", t.first_claimed_at AS "firstClaimedAt",
    t.completed_at AS "completedAt", t.code_quality AS "codeQuality",
    t.requirements_clarity AS "requirementsClarity", t.workflow_run_id AS "workflowRunId",
    t.completed_by AS "completedBy", t.sent_back AS "sentBack", t.reopened_at AS "reopenedAt"`;

/** Takes the agent off the tasks that are not final and not claimed; each gets one timeline entry. */
export async function unassignTasks(
  { db, tenantId }: DbScope,
  { agentId, at, keepsPinned, keepsDoable }: { agentId: string; at: Date; keepsPinned: boolean; keepsDoable: boolean },
): Promise<UnassignedTask[]> {
  return db.query<UnassignedTask>(unassignSql, [tenantId, agentId, at, keepsPinned, keepsDoable]);
}
