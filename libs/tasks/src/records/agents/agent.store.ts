import { assertBelowLimit, type DbScope, type Tx } from '@eas/db';
import { exhaustedProjectsSql } from '../budgets/exhausted-sql.ts';
import type { Assignee } from '../tasks/eligibility.ts';
import type { Completion } from '../tasks/task.ts';

export type NewAgentRow = {
  id: string;
  name: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  createdAt: Date;
};

/** Throws conflict `limit` when the tenant has `max` agents already. */
export async function insertAgent(tx: Tx, agent: NewAgentRow, max: number): Promise<void> {
  const { db, tenantId } = tx;
  await assertBelowLimit(tx, 'agents', max, () => db.prisma.agent.count({ where: { tenantId, deletedAt: null } }));
  await db.prisma.agent.create({ data: { ...agent, tenantId, updatedAt: agent.createdAt } });
}

export type LockedAgent = {
  id: string;
  role: string;
  capabilities: string[];
  maxConcurrentTasks: number;
  activeLeases: number;
  isAccepting: boolean;
  /** Whether its tenant has projects whose budgets are used up. */
  hasExhaustedProjects: boolean;
};

const lockedColumns = `
  id, role, capabilities, max_concurrent_tasks AS "maxConcurrentTasks", active_leases AS "activeLeases",
  is_accepting AS "isAccepting", EXISTS (SELECT ${exhaustedProjectsSql('$1')}) AS "hasExhaustedProjects"`;

const lockSql = `
  SELECT ${lockedColumns} FROM agents WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL FOR NO KEY UPDATE`;
const lockFreeSql = `${lockSql} SKIP LOCKED`;

/** Locks agents until the transaction ends, so that their maxima hold: by id. Without `mayWait` none that others lock. */
export async function lockAgents(
  { db, tenantId }: DbScope,
  ids: readonly string[],
  { mayWait }: { mayWait: boolean },
): Promise<Map<string, LockedAgent>> {
  const agents = await db.query<LockedAgent>(mayWait ? lockSql : lockFreeSql, [tenantId, ids]);
  return new Map(agents.map((agent) => [agent.id, agent]));
}

export async function findRole({ db, tenantId }: DbScope, id: string): Promise<string | undefined> {
  const agent = await db.prisma.agent.findFirst({ where: { tenantId, id, deletedAt: null }, select: { role: true } });
  return agent?.role;
}

/** Those of the agents that there are. */
export async function findKnownAgents({ db, tenantId }: DbScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const where = { tenantId, id: { in: [...ids] }, deletedAt: null };
  return new Set((await db.prisma.agent.findMany({ where, select: { id: true } })).map(({ id }) => id));
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

const assignableSql = `
  SELECT id, role, capabilities FROM agents WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE`;

/** The agent, if it exists; it cannot be removed until the transaction ends. */
export async function lockAssignable({ db, tenantId }: DbScope, id: string): Promise<Assignee | undefined> {
  const [agent] = await db.query<Assignee>(assignableSql, [tenantId, id]);
  return agent;
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

/** Locks the agent until the transaction ends: until then it gets no task, by claim, plan or assignment. */
export async function lockAgentAlone({ db, tenantId }: DbScope, id: string): Promise<EditableAgent | undefined> {
  const [agent] = await db.query<EditableAgent>(lockAloneSql, [tenantId, id]);
  return agent;
}

const updateSql = `
  UPDATE agents SET name = $3, role = $4, capabilities = $5, max_concurrent_tasks = $6, is_accepting = $7,
    updated_at = $8, version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Writes back an agent from lockAgentAlone. */
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
