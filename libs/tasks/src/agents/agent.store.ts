import type { DbScope } from '@eas/db';
import type { Completion } from '../tasks/task.ts';

export type NewAgentRow = {
  id: string;
  name: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  createdAt: Date;
};

export async function insertAgent({ db, tenantId }: DbScope, agent: NewAgentRow): Promise<void> {
  await db.prisma.agent.create({ data: { ...agent, tenantId, updatedAt: agent.createdAt } });
}

export type LockedAgent = {
  id: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  activeLeases: number;
  isAccepting: boolean;
};

const lockSql = `
  SELECT id, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", active_leases AS "activeLeases",
    is_accepting AS "isAccepting"
  FROM agents WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** Locks an agent's row until the transaction ends, so that its maximum holds. */
export async function lockAgent({ db, tenantId }: DbScope, id: string): Promise<LockedAgent | undefined> {
  const [agent] = await db.query<LockedAgent>(lockSql, [tenantId, id]);
  return agent;
}

const lockFreeSql = `
  SELECT id, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", active_leases AS "activeLeases",
    is_accepting AS "isAccepting"
  FROM agents WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks those of the agents that nobody else has locked: by id. */
export async function lockFreeAgents(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<Map<string, LockedAgent>> {
  const agents = await db.query<LockedAgent>(lockFreeSql, [tenantId, ids]);
  return new Map(agents.map((agent) => [agent.id, agent]));
}

const recordCompletionSql = `
  WITH counted AS (
    UPDATE agents SET tasks_completed = tasks_completed + 1,
      completion_ms_total = completion_ms_total + coalesce($3::bigint, 0),
      quality_total = quality_total + coalesce($4::int, 0), quality_count = quality_count + ($4::int IS NOT NULL)::int
    WHERE tenant_id = $1 AND id = $2 RETURNING id
  )
  INSERT INTO task_durations (tenant_id, role, completed_at, task_id, duration_ms)
  SELECT $1, $5::text, $6::timestamptz, $7::text, $3::bigint FROM counted
  WHERE $5::text IS NOT NULL AND $3::bigint IS NOT NULL`;

/**
 * A task was completed: keeps the sums behind the stats of the agent that completed it, and how long it took. Nothing
 * for a task that a person or a platform completed.
 */
export async function recordCompletion({ db, tenantId }: DbScope, completion: Completion): Promise<void> {
  const { taskId, role, by, at, durationMs, codeQuality } = completion;
  await db.query(recordCompletionSql, [tenantId, by, durationMs, codeQuality, role, at, taskId]);
}

const withdrawCompletionSql = `
  WITH forgotten AS (DELETE FROM task_durations WHERE tenant_id = $1 AND completed_at = $5 AND task_id = $6)
  UPDATE agents SET tasks_completed = tasks_completed - 1,
    completion_ms_total = completion_ms_total - coalesce($3::bigint, 0),
    quality_total = quality_total - coalesce($4::int, 0), quality_count = quality_count - ($4::int IS NOT NULL)::int
  WHERE tenant_id = $1 AND id = $2`;

/** A completed task is open again: takes it out of the stats of the agent that completed it. */
export async function withdrawCompletion({ db, tenantId }: DbScope, completion: Completion): Promise<void> {
  const { taskId, by, at, durationMs, codeQuality } = completion;
  await db.query(withdrawCompletionSql, [tenantId, by, durationMs, codeQuality, at, taskId]);
}

const assignableSql = 'SELECT FROM agents WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE';

/** Whether there is such an agent; it cannot be removed until the transaction ends. */
export async function lockAssignable({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  return (await db.query(assignableSql, [tenantId, id])).length > 0;
}

export type EditableAgent = {
  id: string;
  name: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  isAccepting: boolean;
  version: number;
};

const lockAloneSql = `
  SELECT id, name, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", is_accepting AS "isAccepting",
    version
  FROM agents
  WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

/** Locks the agent until the transaction ends: meanwhile it is given no task, by claim, plan or hand. */
export async function lockAgentAlone({ db, tenantId }: DbScope, id: string): Promise<EditableAgent | undefined> {
  const [agent] = await db.query<EditableAgent>(lockAloneSql, [tenantId, id]);
  return agent;
}

const updateSql = `
  UPDATE agents SET name = $3, role = $4, capabilities = $5, max_concurrent_tasks = $6, is_accepting = $7,
    updated_at = $8, version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Writes back an agent that lockAgentAlone gave. */
export async function updateAgent({ db, tenantId }: DbScope, agent: EditableAgent, at: Date): Promise<void> {
  const { id, name, role, capabilities, maxConcurrentTasks, isAccepting } = agent;
  await db.query(updateSql, [tenantId, id, name, role, capabilities, maxConcurrentTasks, isAccepting, at]);
}

const deleteSql = `
  UPDATE agents SET deleted_at = $3, updated_at = $3, is_accepting = false, version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Marks a locked agent as removed; the row stays for what it did. */
export async function deleteAgent({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  await db.query(deleteSql, [tenantId, id, at]);
}
