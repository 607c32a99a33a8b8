import type { DbScope } from '@eas/db';

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
export async function recordCompletion(
  { db, tenantId }: DbScope,
  completion: { agentId: string; durationMs: number; codeQuality: number | null },
): Promise<void> {
  await db.query(recordCompletionSql, [tenantId, completion.agentId, completion.durationMs, completion.codeQuality]);
}
