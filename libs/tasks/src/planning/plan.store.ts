import type { DbScope } from '@eas/db';
import type { Task, TaskWithFacts } from '../tasks/task.ts';
import { requiredCapabilitiesSql } from '../tasks/task.store.ts';

export type UnplannedTask = {
  id: string;
  title: string;
  role: string;
  timelineSeq: number;
  requiredCapabilities: string[];
};

const lockSql = `
  SELECT id, title, assigned_role AS role, timeline_seq AS "timelineSeq",
    ${requiredCapabilitiesSql} AS "requiredCapabilities"
  FROM tasks
  WHERE tenant_id = $1 AND id = ANY ($2) AND status IN ('created', 'open')
    AND assigned_agent IS NULL AND assigned_role IS NOT NULL
  ORDER BY rank, id FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks those of the tasks that are open and planned for nobody. One that is being claimed right now needs no plan. */
export async function lockUnplanned({ db, tenantId }: DbScope, ids: readonly string[]): Promise<UnplannedTask[]> {
  return ids.length === 0 ? [] : db.query<UnplannedTask>(lockSql, [tenantId, ids]);
}

const assignSql = `
  UPDATE tasks SET assigned_agent = s.agent_id, updated_at = $4, version = version + 1, timeline_seq = timeline_seq + 1
  FROM unnest($2::text[], $3::text[]) AS s (task_id, agent_id)
  WHERE tenant_id = $1 AND id = s.task_id`;

/** Plans locked tasks; each gets one timeline entry. */
export async function assignTasks(
  { db, tenantId }: DbScope,
  plans: readonly { task: { id: string }; agentId: string }[],
  at: Date,
): Promise<void> {
  await db.query(assignSql, [tenantId, plans.map(({ task }) => task.id), plans.map(({ agentId }) => agentId), at]);
}

export type UnassignedTask = TaskWithFacts & Pick<Task, 'id' | 'title' | 'timelineSeq'>;

const unassignSql = `
  WITH planned AS (
    SELECT id FROM tasks
    WHERE tenant_id = $1 AND assigned_agent = $2 AND status NOT IN ('completed', 'failed', 'cancelled')
      AND lease_id IS NULL
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE tasks t SET assigned_agent = NULL, is_pinned = false, updated_at = $3, version = version + 1,
    timeline_seq = timeline_seq + 1
  FROM planned WHERE t.tenant_id = $1 AND t.id = planned.id
  RETURNING t.id, t.title, t.status, t.version, t.timeline_seq AS "timelineSeq", t.assigned_role AS "assignedRole",
    t.created_at AS "createdAt", t.due_date AS "dueDate", t.first_claimed_at AS "firstClaimedAt",
    t.completed_at AS "completedAt", t.code_quality AS "codeQuality",
    t.requirements_clarity AS "requirementsClarity"`;

/** Takes the agent off the tasks that are not final and held by nobody; each gets one timeline entry. */
export async function unassignTasks({ db, tenantId }: DbScope, agentId: string, at: Date): Promise<UnassignedTask[]> {
  return db.query<UnassignedTask>(unassignSql, [tenantId, agentId, at]);
}
