import type { DbScope } from '@eas/db';
import type { LockedAgent } from '../agents/agent.store.ts';
import type { Task } from '../tasks/task.ts';
import { requiredCapabilitiesSql, taskColumns } from '../tasks/task.store.ts';

/** A task that the transaction has locked for an agent: its status so far. */
export type PickedTask = { id: string; status: 'created' | 'open' };

const columns = 'SELECT id, status FROM tasks';
/** What the agent $2 of role $3 with capabilities $4 may claim now. Those that others are claiming now are skipped. */
const claimable = `
    tenant_id = $1 AND status IN ('created', 'open') AND NOT is_held
      AND (not_before IS NULL OR not_before <= app_now()) AND not_for IS DISTINCT FROM $2
      AND (NOT metadata ? 'required_capabilities' OR ${requiredCapabilitiesSql} <@ to_jsonb($4::text[]))
      AND NOT id = ANY ($5::text[])
    ORDER BY rank, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

/** Each part is looked at only when those before it gave nothing. */
const pickSql = `
  WITH of_role AS (
    ${columns} WHERE assigned_role = $3 AND (NOT is_pinned OR assigned_agent = $2) AND lost_by IS DISTINCT FROM $2
      AND ${claimable}
  ), of_any_role AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role)
      AND assigned_role IS NULL AND NOT is_pinned AND lost_by IS DISTINCT FROM $2 AND ${claimable}
  ), pinned AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role) AND NOT EXISTS (SELECT FROM of_any_role)
      AND assigned_agent = $2 AND is_pinned AND assigned_role IS DISTINCT FROM $3 AND ${claimable}
  ), lost AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role) AND NOT EXISTS (SELECT FROM of_any_role)
      AND NOT EXISTS (SELECT FROM pinned) AND assigned_role = $3 AND NOT is_pinned AND lost_by = $2 AND ${claimable}
  ), lost_of_any_role AS (
    ${columns} WHERE NOT EXISTS (SELECT FROM of_role) AND NOT EXISTS (SELECT FROM of_any_role)
      AND NOT EXISTS (SELECT FROM pinned) AND NOT EXISTS (SELECT FROM lost)
      AND assigned_role IS NULL AND NOT is_pinned AND lost_by = $2 AND ${claimable}
  )
  SELECT * FROM of_role UNION ALL SELECT * FROM of_any_role UNION ALL SELECT * FROM pinned
  UNION ALL SELECT * FROM lost UNION ALL SELECT * FROM lost_of_any_role`;

/**
 * Locks the first task that the agent may claim, in the order of claims: of its own role, then of any role, then given
 * to it without its role, and last those that it lost itself. Those that are `taken` in the transaction are left out.
 * Undefined: there is none.
 */
export async function pickTask(
  { db, tenantId }: DbScope,
  { id, role, capabilities }: LockedAgent,
  taken: readonly string[] = [],
): Promise<PickedTask | undefined> {
  const [task] = await db.query<PickedTask>(pickSql, [tenantId, id, role, capabilities, taken]);
  return task;
}

/** A task that is first in the order of claims of a role, and for whom it is. */
export type RolePick = PickedTask & {
  /** The one agent that a person chose for it. */
  pinnedTo: string | null;
  notFor: string | null;
  lostBy: string | null;
  requiredCapabilities: string[];
};

const pickOfRoleSql = `
  SELECT id, status, CASE WHEN is_pinned THEN assigned_agent END AS "pinnedTo", not_for AS "notFor",
    lost_by AS "lostBy", ${requiredCapabilitiesSql} AS "requiredCapabilities"
  FROM tasks
  WHERE tenant_id = $1 AND assigned_role = $2 AND status IN ('created', 'open') AND NOT is_held
    AND (NOT is_pinned OR assigned_agent = ANY ($3)) AND (not_before IS NULL OR not_before <= app_now())
  ORDER BY rank, id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks the first tasks of a role that some of the agents may claim, in the order of claims. */
export async function pickOfRole(
  { db, tenantId }: DbScope,
  { role, agentIds, limit }: { role: string; agentIds: readonly string[]; limit: number },
): Promise<RolePick[]> {
  return db.query<RolePick>(pickOfRoleSql, [tenantId, role, agentIds, limit]);
}

/** A picked task, and the lease that its agent gets. */
export type Start = { task: PickedTask; agentId: string; leaseId: string; claimKey: string | null };

export type StartedTask = Task & { previousStatus: 'created' | 'open'; expiresAt: Date };

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const startSql = `
  WITH picked AS (
    SELECT * FROM json_to_recordset($2::json) AS s (id text, status text, agent_id text, lease_id text, claim_key text)
  ), started AS (
    UPDATE tasks t SET status = 'in_progress', assigned_agent = picked.agent_id, lease_id = picked.lease_id,
      fencing_token = t.fencing_token + 1, first_claimed_at = coalesce(t.first_claimed_at, app_now()),
      updated_at = app_now(), version = t.version + 1, timeline_seq = t.timeline_seq + 1, not_before = NULL,
      stalled_at = NULL
    FROM picked WHERE t.tenant_id = $1 AND t.id = picked.id AND t.id = ANY (ARRAY(SELECT id FROM picked))
    RETURNING ${taskColumns('t')}, picked.status AS "previousStatus", picked.claim_key
  ), leased AS (
    INSERT INTO leases (tenant_id, id, task_id, agent_id, fencing_token, started_at, expires_at, claim_key)
    SELECT $1, "leaseId", id, "assignedAgent", "fencingToken", app_now(), app_now() + $3 * interval '1 second',
      claim_key
    FROM started ORDER BY "leaseId"
    RETURNING id, expires_at
  ), noted AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT $1, id, "timelineSeq", 'status_change', "updatedAt", "assignedAgent",
      jsonb_build_object('from', "previousStatus", 'to', 'in_progress') FROM started
  ), busy AS (
    UPDATE agents a SET active_leases = a.active_leases + taken.leases
    FROM (SELECT "assignedAgent" AS id, count(*)::int AS leases FROM started GROUP BY 1) AS taken
    WHERE a.tenant_id = $1 AND a.id = taken.id
  )
  SELECT started.*, leased.expires_at AS "expiresAt" FROM started JOIN leased ON leased.id = started."leaseId"`;

/** Starts picked tasks, each under its new lease. The agents are locked and have a free slot for each. */
export async function startTasks(
  { db, tenantId }: DbScope,
  starts: readonly Start[],
  leaseSeconds: number,
): Promise<StartedTask[]> {
  const rows = starts.map(({ task, agentId, leaseId, claimKey }) => ({
    ...{ id: task.id, status: task.status, agent_id: agentId, lease_id: leaseId, claim_key: claimKey },
  }));
  return db.query<StartedTask>(startSql, [tenantId, JSON.stringify(rows), leaseSeconds]);
}

/** The lease that a claim with this key got; null: it waits for an answer. */
export type GivenLease = { leaseId: string; taskId: string; fencingToken: number; expiresAt: Date | null };

const giveAgainSql = `
  WITH given AS (
    UPDATE leases SET is_claimed_again = true,
      claim_key = CASE WHEN parked_at IS NOT NULL OR expires_at > app_now() THEN claim_key END
    WHERE tenant_id = $1 AND agent_id = $2 AND claim_key = $3 AND ended_at IS NULL
    RETURNING id, task_id, fencing_token, expires_at, claim_key
  )
  SELECT id AS "leaseId", task_id AS "taskId", fencing_token AS "fencingToken", expires_at AS "expiresAt" FROM given
  WHERE claim_key IS NOT NULL`;

/**
 * The live lease that the agent, which is locked, got for a claim with the key. From now on who claimed it first does
 * not give it back. A lease that has run out gives the key up.
 */
export async function giveAgain(
  { db, tenantId }: DbScope,
  agentId: string,
  claimKey: string,
): Promise<GivenLease | undefined> {
  const [lease] = await db.query<GivenLease>(giveAgainSql, [tenantId, agentId, claimKey]);
  return lease;
}
