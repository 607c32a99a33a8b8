import type { Db, DbScope } from '@eas/db';
import type { Presence } from './agent-state.ts';
import type { AgentRef, Sighting } from './sightings.ts';

const seeSql = `
  WITH seen AS (
    SELECT a.tenant_id, a.id, s.is_waiting FROM unnest($1::text[], $2::text[], $3::boolean[]) AS s (of_tenant, agent, is_waiting)
    JOIN agents a ON a.tenant_id = s.of_tenant AND a.id = s.agent AND a.deleted_at IS NULL
    ORDER BY a.tenant_id, a.id FOR NO KEY UPDATE OF a
  )
  UPDATE agents a SET last_seen_at = app_now(),
    waiting_until = CASE WHEN seen.is_waiting THEN app_now() + $4::int * interval '1 millisecond' END
  FROM seen WHERE a.tenant_id = seen.tenant_id AND a.id = seen.id
  RETURNING a.tenant_id AS "tenantId", a.id, a.presence`;

/** Marks agents of any tenants as seen, and those that wait in a claim as waiting for that long. Gives those recorded as not online. */
export async function markSeen(db: Db, seen: readonly Sighting[], waitingMs: number): Promise<AgentRef[]> {
  const columns = [
    seen.map(({ tenantId }) => tenantId),
    seen.map(({ id }) => id),
    seen.map(({ isWaiting }) => isWaiting),
  ];
  const rows = await db.query<AgentRef & { presence: Presence }>(seeSql, [...columns, waitingMs]);
  return rows.filter(({ presence }) => presence !== 'online');
}

export type RecordedAgent = {
  id: string;
  name: string;
  role: string;
  presence: Presence;
  lastSeenAt: Date | null;
  now: Date;
};

/** A lease that was renewed is a sign of its agent, whoever called for it. It runs for one lease time. */
const lockSql = `
  SELECT id, name, role, presence, app_now() AS now, greatest(last_seen_at, CASE WHEN active_leases > 0 THEN (
    SELECT max(l.expires_at) - $3::int * interval '1 second'
    FROM tasks t JOIN leases l ON l.tenant_id = t.tenant_id AND l.id = t.lease_id
    WHERE t.tenant_id = a.tenant_id AND t.assigned_agent = a.id AND t.status = 'in_progress'
  ) END) AS "lastSeenAt"
  FROM agents a WHERE tenant_id = $1 AND id = ANY ($2) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

/** Locks agents until the transaction ends, with the presence that was recorded of them and when they were seen last. */
export async function lockPresences(
  { db, tenantId }: DbScope,
  ids: readonly string[],
  leaseSeconds: number,
): Promise<RecordedAgent[]> {
  return db.query<RecordedAgent>(lockSql, [tenantId, ids, leaseSeconds]);
}

const setSql = `
  UPDATE agents a SET presence = s.presence, last_seen_at = s.seen_at
  FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS s (agent, presence, seen_at)
  WHERE a.tenant_id = $1 AND a.id = s.agent`;

/** Records the presence of locked agents. It is no change of theirs: their version stays. */
export async function setPresence({ db, tenantId }: DbScope, agents: readonly RecordedAgent[]): Promise<void> {
  const columns = [
    agents.map(({ id }) => id),
    agents.map(({ presence }) => presence),
    agents.map(({ lastSeenAt }) => lastSeenAt),
  ];
  await db.query(setSql, [tenantId, ...columns]);
}
