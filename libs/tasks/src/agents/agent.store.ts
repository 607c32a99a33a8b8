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
  UPDATE agents SET last_seen_at = app_now() WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
  RETURNING id, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", active_leases AS "activeLeases",
    is_accepting AS "isAccepting"`;

/** Marks the agent as seen and locks its row until the transaction ends, so that its maximum holds. */
export async function lockAgent({ db, tenantId }: DbScope, id: string): Promise<LockedAgent | undefined> {
  const [agent] = await db.query<LockedAgent>(lockSql, [tenantId, id]);
  return agent;
}

const freeSlotSql = 'UPDATE agents SET active_leases = active_leases - 1 WHERE tenant_id = $1 AND id = $2';

/** One live lease of the agent has ended. */
export async function freeSlot({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(freeSlotSql, [tenantId, id]);
}

const recordCompletionSql = `
  UPDATE agents SET active_leases = active_leases - 1, tasks_completed = tasks_completed + 1,
    completion_ms_total = completion_ms_total + $3, quality_total = quality_total + coalesce($4::int, 0),
    quality_count = quality_count + ($4::int IS NOT NULL)::int, last_seen_at = app_now()
  WHERE tenant_id = $1 AND id = $2`;

/** The agent completed a task: frees the slot and keeps the sums behind its stats. */
export async function recordCompletion({ db, tenantId }: DbScope, completion: Completion): Promise<void> {
  await db.query(recordCompletionSql, [tenantId, completion.by, completion.durationMs, completion.codeQuality]);
}

const withdrawCompletionSql = `
  UPDATE agents SET tasks_completed = tasks_completed - 1, completion_ms_total = completion_ms_total - $3,
    quality_total = quality_total - coalesce($4::int, 0), quality_count = quality_count - ($4::int IS NOT NULL)::int
  WHERE tenant_id = $1 AND id = $2`;

/** A completed task is open again: takes it out of the stats of its agent. What a person completed is in nobody's. */
export async function withdrawCompletion({ db, tenantId }: DbScope, completion: Completion): Promise<void> {
  await db.query(withdrawCompletionSql, [tenantId, completion.by, completion.durationMs, completion.codeQuality]);
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
  version: number;
};

const lockAloneSql = `
  SELECT id, name, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", version FROM agents
  WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

/** Locks the agent until the transaction ends: meanwhile it is given no task, by claim, plan or hand. */
export async function lockAgentAlone({ db, tenantId }: DbScope, id: string): Promise<EditableAgent | undefined> {
  const [agent] = await db.query<EditableAgent>(lockAloneSql, [tenantId, id]);
  return agent;
}

const updateSql = `
  UPDATE agents SET name = $3, role = $4, capabilities = $5, max_concurrent_tasks = $6, updated_at = $7,
    version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Writes back an agent that lockAgentAlone gave. */
export async function updateAgent({ db, tenantId }: DbScope, agent: EditableAgent, at: Date): Promise<void> {
  const { id, name, role, capabilities, maxConcurrentTasks } = agent;
  await db.query(updateSql, [tenantId, id, name, role, capabilities, maxConcurrentTasks, at]);
}

const deleteSql = `
  UPDATE agents SET deleted_at = $3, updated_at = $3, is_accepting = false, version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Marks a locked agent as removed; the row stays for what it did. */
export async function deleteAgent({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  await db.query(deleteSql, [tenantId, id, at]);
}
