import type { DbScope } from '@eas/db';
import type { LockedAgent } from '../agents/agent.store.ts';
import type { Task } from '../tasks/task.ts';
import { requiredCapabilitiesSql, taskColumns } from '../tasks/task.store.ts';

export type ClaimedTask = Task & { previousStatus: 'created' | 'open'; expiresAt: Date };

/**
 * Precondition: the agent's row is locked and has a free slot. Takes the first claimable task in the order of claims,
 * skipping those that others are claiming now, gives it a lease and uses a slot. No row: nothing to claim.
 */
const claimSql = (candidates: string) => `
  WITH picked AS (
    SELECT id, status FROM tasks
    WHERE tenant_id = $1 AND status IN ('created', 'open') AND ${candidates}
      AND NOT is_held
      AND (NOT metadata ? 'required_capabilities' OR ${requiredCapabilitiesSql} <@ to_jsonb($4::text[]))
    ORDER BY rank, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE tasks t SET status = 'in_progress', assigned_agent = $2, lease_id = $5, fencing_token = t.fencing_token + 1,
      first_claimed_at = coalesce(t.first_claimed_at, app_now()), updated_at = app_now(), version = t.version + 1,
      timeline_seq = t.timeline_seq + 1
    FROM picked WHERE t.tenant_id = $1 AND t.id = picked.id
    RETURNING ${taskColumns('t')}, picked.status AS "previousStatus"
  ), leased AS (
    INSERT INTO leases (tenant_id, id, task_id, agent_id, fencing_token, started_at, expires_at)
    SELECT $1, $5, id, $2, "fencingToken", app_now(), app_now() + $6 * interval '1 second' FROM claimed
    RETURNING expires_at
  ), noted AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT $1, id, "timelineSeq", 'status_change', "updatedAt", $2,
      jsonb_build_object('from', "previousStatus", 'to', 'in_progress') FROM claimed
  ), slot AS (
    UPDATE agents SET active_leases = active_leases + 1 WHERE tenant_id = $1 AND id = $2 AND EXISTS (SELECT FROM claimed)
  )
  SELECT claimed.*, leased.expires_at AS "expiresAt" FROM claimed, leased`;

const claimOfRoleSql = claimSql('assigned_role = $3 AND (NOT is_pinned OR assigned_agent = $2)');
const claimOfAnyRoleSql = claimSql('assigned_role IS NULL AND NOT is_pinned AND $3::text IS NOT NULL');
/** Tasks that a person gave to the agent without its role. */
const claimPinnedSql = claimSql('assigned_agent = $2 AND is_pinned AND assigned_role IS DISTINCT FROM $3');

/** Tasks of the agent's own role come first, then those open to any role, then those given to it without its role. */
export async function claimNextTask(
  { db, tenantId }: DbScope,
  { id, role, capabilities }: LockedAgent,
  { leaseId, leaseSeconds }: { leaseId: string; leaseSeconds: number },
): Promise<ClaimedTask | undefined> {
  for (const sql of [claimOfRoleSql, claimOfAnyRoleSql, claimPinnedSql]) {
    const [claimed] = await db.query<ClaimedTask>(sql, [tenantId, id, role, capabilities, leaseId, leaseSeconds]);
    if (claimed) return claimed;
  }
  return undefined;
}

/** A lease as the calls under it find it. */
export type HeldLease = {
  id: string;
  taskId: string;
  agentId: string;
  fencingToken: number;
  startedAt: Date;
  expiresAt: Date;
  endReason: string | null;
  isLive: boolean;
};

const leaseColumns = `
  id, task_id AS "taskId", agent_id AS "agentId", fencing_token AS "fencingToken", started_at AS "startedAt",
  expires_at AS "expiresAt", end_reason AS "endReason", (ended_at IS NULL AND expires_at > app_now()) AS "isLive"`;

const findSql = `SELECT ${leaseColumns} FROM leases WHERE tenant_id = $1 AND id = $2`;
const findAndLockSql = `${findSql} FOR NO KEY UPDATE`;

export async function findLease({ db, tenantId }: DbScope, id: string): Promise<HeldLease | undefined> {
  const [lease] = await db.query<HeldLease>(findSql, [tenantId, id]);
  return lease;
}

/** Locks the lease until the transaction ends, so that the sweep cannot end it meanwhile. */
export async function lockLease({ db, tenantId }: DbScope, id: string): Promise<HeldLease | undefined> {
  const [lease] = await db.query<HeldLease>(findAndLockSql, [tenantId, id]);
  return lease;
}

const lockExpiredSql = `
  SELECT task_id AS "taskId", agent_id AS "agentId" FROM leases
  WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL AND expires_at <= app_now() FOR NO KEY UPDATE SKIP LOCKED`;

/** Undefined: renewed or ended since it was listed, or somebody holds it now. */
export async function lockExpiredLease(
  { db, tenantId }: DbScope,
  id: string,
): Promise<{ taskId: string; agentId: string } | undefined> {
  const [lease] = await db.query<{ taskId: string; agentId: string }>(lockExpiredSql, [tenantId, id]);
  return lease;
}

const lockOfTaskSql = 'SELECT FROM leases WHERE tenant_id = $1 AND task_id = $2 AND ended_at IS NULL FOR NO KEY UPDATE';

/** Locks the live lease of a task, if there is one, until the transaction ends. */
export async function lockLeaseOf({ db, tenantId }: DbScope, taskId: string): Promise<void> {
  await db.query(lockOfTaskSql, [tenantId, taskId]);
}

/** Led by the index on what is assigned: who holds a task is its assigned agent. */
const lockOfAgentSql = `
  SELECT l.id, l.task_id AS "taskId" FROM tasks t JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id
  WHERE t.tenant_id = $1 AND t.assigned_agent = $2 AND t.status NOT IN ('completed', 'failed', 'cancelled')
    AND l.ended_at IS NULL
  ORDER BY l.id FOR NO KEY UPDATE OF l`;

/** Locks the live leases of an agent until the transaction ends. */
export async function lockLeasesOf(
  { db, tenantId }: DbScope,
  agentId: string,
): Promise<{ id: string; taskId: string }[]> {
  return db.query(lockOfAgentSql, [tenantId, agentId]);
}

const renewSql = `
  UPDATE leases SET expires_at = app_now() + $4 * interval '1 second'
  WHERE tenant_id = $1 AND id = $2 AND fencing_token = $3 AND ended_at IS NULL AND expires_at > app_now()
  RETURNING expires_at AS "expiresAt"`;

/** Undefined: the lease is not live with this token; nothing was changed. */
export async function renewLease(
  { db, tenantId }: DbScope,
  { id, fencingToken, leaseSeconds }: { id: string; fencingToken: number; leaseSeconds: number },
): Promise<Date | undefined> {
  const [row] = await db.query<{ expiresAt: Date }>(renewSql, [tenantId, id, fencingToken, leaseSeconds]);
  return row?.expiresAt;
}

const endSql = `
  UPDATE leases SET ended_at = app_now(), end_reason = $3 WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL`;

export type LeaseEnd = 'completed' | 'completed_elsewhere' | 'expired' | 'cancelled' | 'returned' | 'agent_removed';

/** Ends a live lease. The caller also clears the task's lease_id and frees the agent's slot. */
export async function endLease({ db, tenantId }: DbScope, id: string, reason: LeaseEnd): Promise<void> {
  await db.query(endSql, [tenantId, id, reason]);
}

const reportSql = `
  UPDATE tasks SET percent_complete = coalesce($3, percent_complete),
    estimate_remaining = coalesce($4, estimate_remaining), milestones = $5, timeline_seq = timeline_seq + $6,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** Writes what an agent reported of a task that is locked. `entries` is the number of timeline entries that follow. */
export async function updateProgress(
  { db, tenantId }: DbScope,
  report: { taskId: string; percent: number | null; estimate: string | null; milestones: unknown; entries: number },
): Promise<void> {
  const { taskId, percent, estimate, milestones, entries } = report;
  await db.query(reportSql, [tenantId, taskId, percent, estimate, JSON.stringify(milestones), entries]);
}
