import { type LeaseResult, routing } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { type DbScope, insertEventsSql, sendWrite, type Tx } from '@eas/db';
import { type DirectiveRow, toDirective } from '../directives/directive.ts';
import { pendingSql } from '../directives/directive.store.ts';
import type { Completion } from '../tasks/task.ts';
import type { LeaseEnd } from './lease-end.ts';

/**
 * running: its agent works. parked: its agent waits for an answer. answered: parked, and the agent's next call revives
 * it. over: ended, run out, or answered too long ago.
 */
type LeaseState = 'running' | 'parked' | 'answered' | 'over';

export type HeldLease = {
  id: string;
  taskId: string;
  agentId: string;
  fencingToken: number;
  startedAt: Date;
  endReason: LeaseEnd | null;
  state: LeaseState;
};

/** isClaimedAgain: its claim was replayed. */
type FoundLease = HeldLease & { isClaimedAgain: boolean };

const stateSql = `
  CASE WHEN ended_at IS NOT NULL THEN 'over'
    WHEN parked_at IS NULL THEN CASE WHEN expires_at > app_now() THEN 'running' ELSE 'over' END
    WHEN revive_until IS NULL THEN 'parked'
    WHEN revive_until > app_now() THEN 'answered' ELSE 'over' END`;

const findAndLockSql = `
  SELECT id, task_id AS "taskId", agent_id AS "agentId", fencing_token AS "fencingToken", started_at AS "startedAt",
    is_claimed_again AS "isClaimedAgain", end_reason AS "endReason", ${stateSql} AS state
  FROM leases WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/** Locks the lease until the transaction ends, so that the sweep cannot end it. */
export async function lockLease({ db, tenantId }: DbScope, id: string): Promise<FoundLease | undefined> {
  const [lease] = await db.query<FoundLease>(findAndLockSql, [tenantId, id]);
  return lease;
}

const lockExpiredSql = `
  SELECT task_id AS "taskId", agent_id AS "agentId" FROM leases
  WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL AND expires_at <= app_now() FOR NO KEY UPDATE SKIP LOCKED`;

/** Undefined: renewed or ended since it was listed, or locked. */
export async function lockExpiredLease(
  { db, tenantId }: DbScope,
  id: string,
): Promise<{ taskId: string; agentId: string } | undefined> {
  const [lease] = await db.query<{ taskId: string; agentId: string }>(lockExpiredSql, [tenantId, id]);
  return lease;
}

const lockOnTasksSql = `
  SELECT FROM leases WHERE tenant_id = $1 AND task_id = ANY ($2) AND ended_at IS NULL
  ORDER BY task_id FOR NO KEY UPDATE`;

/** Locks the live leases on tasks. */
export async function lockLeasesOn({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<void> {
  await db.query(lockOnTasksSql, [tenantId, taskIds]);
}

const lockOfAgentSql = `
  SELECT id, task_id AS "taskId" FROM leases WHERE tenant_id = $1 AND agent_id = $2 AND ended_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

export async function lockLeasesOf(
  { db, tenantId }: DbScope,
  agentId: string,
): Promise<{ id: string; taskId: string }[]> {
  return db.query(lockOfAgentSql, [tenantId, agentId]);
}

const renewSql = `
  WITH renewed AS (
    UPDATE leases
    SET expires_at = CASE WHEN parked_at IS NULL THEN app_now() + seconds * interval '1 second' END
    WHERE tenant_id = $1 AND id = $2 AND fencing_token = $3 AND ($4::text IS NULL OR agent_id = $4)
      AND ${stateSql} IN ('running', 'parked')
    RETURNING task_id, expires_at
  )
  SELECT expires_at AS "expiresAt", ${pendingSql('$1', 'renewed.task_id', '$2')} AS directives FROM renewed`;

/**
 * Renews a lease, of that agent (null: of any), and returns its directives. A parked one has no end to be moved.
 * Undefined: it is not held with this token, or waits for its agent to revive it; nothing was changed.
 */
export async function renewLease(
  { db, tenantId }: DbScope,
  { id, fencingToken, agentId }: { id: string; fencingToken: number; agentId: string | null },
): Promise<LeaseResult | undefined> {
  const values = [tenantId, id, fencingToken, agentId];
  const [row] = await db.query<{ expiresAt: Date | null; directives: DirectiveRow[] }>(renewSql, values);
  if (!row) return undefined;
  return { expires_at: row.expiresAt && formatTimestamp(row.expiresAt), directives: row.directives.map(toDirective) };
}

/**
 * One update of each agent frees its slots and counts its work. The agents are locked in the order of their ids, so that
 * no two of these wait for each other.
 */
const endSql = `
  WITH completed AS (
    SELECT * FROM json_to_recordset($5::json)
      AS s ("taskId" text, role text, by text, at timestamptz, "durationMs" bigint, "codeQuality" int)
  ), ended AS (
    UPDATE leases SET ended_at = app_now(), end_reason = $3 WHERE tenant_id = $1 AND id = ANY ($2) AND ended_at IS NULL
    RETURNING id, task_id, agent_id, parked_at IS NULL AS had_slot
  ), changes AS (
    SELECT id, sum(leases)::int AS leases, sum(tasks)::int AS tasks, sum(ms)::bigint AS ms, sum(quality)::int AS quality,
      sum(scores)::int AS scores
    FROM (
      SELECT agent_id, 1, 0, 0, 0, 0 FROM ended WHERE had_slot
      UNION ALL
      SELECT by, 0, 1, coalesce("durationMs", 0), coalesce("codeQuality", 0), ("codeQuality" IS NOT NULL)::int
      FROM completed
    ) AS one (id, leases, tasks, ms, quality, scores) GROUP BY id
  ), locked AS MATERIALIZED (
    SELECT id FROM agents WHERE tenant_id = $1 AND id IN (SELECT id FROM changes) ORDER BY id FOR NO KEY UPDATE
  ), changed AS (
    UPDATE agents a SET active_leases = a.active_leases - c.leases,
      idle_since = CASE WHEN c.leases > 0 THEN app_now() ELSE a.idle_since END,
      tasks_completed = a.tasks_completed + c.tasks, completion_ms_total = a.completion_ms_total + c.ms,
      quality_total = a.quality_total + c.quality, quality_count = a.quality_count + c.scores
    FROM changes c JOIN locked ON locked.id = c.id
    WHERE a.tenant_id = $1 AND a.id = c.id
    RETURNING a.id, c.leases > 0 AND a.active_leases + c.leases >= a.max_concurrent_tasks AS was_full
  ), durations AS (
    INSERT INTO task_durations (tenant_id, role, completed_at, task_id, duration_ms)
    SELECT $1, role, at, "taskId", "durationMs" FROM completed
    WHERE role IS NOT NULL AND "durationMs" IS NOT NULL AND by IN (SELECT id FROM changed)
  ), cancelled AS (
    UPDATE inputs i SET status = 'cancelled' FROM ended
    WHERE i.tenant_id = $1 AND i.task_id = ended.task_id AND i.lease_id = ended.id AND i.status = 'pending'
      AND i.task_id = ANY (ARRAY(SELECT task_id FROM ended))
    RETURNING i.id, i.task_id
  ), announced AS (
    SELECT $1 AS tenant_id, 'evt_' || ulid_prefix(app_now()) || right(id, 16) AS event_id,
      'input.cancelled' AS event_type, app_now() AS occurred_at,
      json_build_object('task_id', task_id, 'input_id', id) AS data, NULL::json AS facts, $4::text[] AS consumers,
      NULL::text AS traceparent
    FROM cancelled
  ), ${insertEventsSql('announced')}
  SELECT id FROM changed WHERE was_full`;

/**
 * Ends live leases: frees their slots (a parked one has none), which wakes claims that wait for one, and cancels what
 * their agents asked, with an event each. Keeps the sums behind the stats of the agents that `completed` tasks, and how
 * long these took; nothing for what people or platforms completed.
 */
export function endLeases(
  tx: Tx,
  ids: readonly string[],
  reason: LeaseEnd,
  completed: readonly Completion[] = [],
): void {
  const values = [tx.tenantId, ids, reason, routing['input.cancelled'], JSON.stringify(completed)];
  sendWrite<{ id: string }>(tx, endSql, values, (free) => free.forEach(({ id }) => notifySlot(tx, id)));
}

/** The same for tasks that have no lease any more. */
export const recordCompletions = (tx: Tx, completed: readonly Completion[]): void =>
  endLeases(tx, [], 'completed', completed);

/** Wakes a claim of an agent that was full and has a slot now. */
export const notifySlot = (tx: Tx, agentId: string): void => tx.notify('slot', `${tx.tenantId} ${agentId}`);

const reopenSql = `
  WITH reopened AS (
    UPDATE leases SET ended_at = NULL, end_reason = NULL, expires_at = app_now() + seconds * interval '1 second'
    WHERE tenant_id = $1 AND id = $2 RETURNING id, task_id, agent_id
  ), acknowledged AS (
    UPDATE directives d SET acknowledged_at = app_now() FROM reopened r
    WHERE d.tenant_id = $1 AND d.task_id = r.task_id AND d.lease_id = r.id AND d.acknowledged_at IS NULL
  )
  UPDATE agents a SET active_leases = a.active_leases + 1 FROM reopened r
  WHERE a.tenant_id = $1 AND a.id = r.agent_id AND $3`;

/** Makes a locked lease that ran out run again: its agent no longer gets the message that it was lost. */
export async function reopenLease({ db, tenantId }: DbScope, { id, endReason }: HeldLease): Promise<void> {
  await db.query(reopenSql, [tenantId, id, endReason !== null]);
}

const renewTokenSql = `
  UPDATE leases SET fencing_token = $3, expires_at = app_now() + seconds * interval '1 second', claim_key = NULL
  WHERE tenant_id = $1 AND id = $2 RETURNING expires_at AS "expiresAt"`;

/** Gives a locked, running lease a new token; the key of its claim does not give it again. Returns when it ends. */
export async function renewToken(
  { db, tenantId }: DbScope,
  { id, fencingToken }: { id: string; fencingToken: number },
): Promise<Date> {
  const [row] = await db.query<{ expiresAt: Date }>(renewTokenSql, [tenantId, id, fencingToken]);
  if (!row) throw new Error('a locked lease is gone');
  return row.expiresAt;
}
