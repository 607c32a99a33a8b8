import { type Db, type DbScope, valuesOf } from '@eas/db';
import type { Presence } from './agent-state.ts';
import type { AgentRef, Departure, Sighting } from './sightings.ts';

const beatSql = `
  INSERT INTO agent_watchers (id, alive_at) VALUES ($1, app_now())
  ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`;

/** Records that a watcher is alive: the agents that it sees stay online until it has been silent for a while. */
export async function beat(db: Db, watcher: string): Promise<void> {
  await db.query(beatSql, [watcher]);
}

/** The watcher has ended. */
export async function endWatch(db: Db, watcher: string): Promise<void> {
  await db.query('DELETE FROM agent_watchers WHERE id = $1', [watcher]);
}

// An agent that the watcher already sees is only read, not written. Another watcher takes over only agents that wait
// with it.
const seeSql = `
  WITH seen AS (
    SELECT a.tenant_id, a.id, s.is_waiting
    FROM unnest($1::text[], $2::text[], $3::boolean[]) AS s (of_tenant, agent, is_waiting)
    JOIN agents a ON a.tenant_id = s.of_tenant AND a.id = s.agent
    WHERE a.deleted_at IS NULL AND (a.seen_by IS NULL OR a.presence <> 'online'
      OR s.is_waiting AND coalesce(a.waiting_until <= app_now(), true)
      OR a.seen_by = $4 AND NOT s.is_waiting AND a.waiting_until IS NOT NULL)
    ORDER BY a.tenant_id, a.id FOR NO KEY UPDATE OF a
  )
  UPDATE agents a SET seen_by = $4, last_seen_at = app_now(),
    waiting_until = CASE WHEN seen.is_waiting THEN 'infinity'::timestamptz END
  FROM seen WHERE a.tenant_id = seen.tenant_id AND a.id = seen.id
  RETURNING a.tenant_id AS "tenantId", a.id, a.presence`;

/** Marks agents of any tenants as seen by the watcher, and as waiting in a claim or not. Gives those recorded as not online. */
export async function markSeen(db: Db, watcher: string, seen: readonly Sighting[]): Promise<AgentRef[]> {
  const rows = await db.query<AgentRef & { presence: Presence }>(seeSql, [
    ...valuesOf(seen, ['tenantId', 'id', 'isWaiting']),
    watcher,
  ]);
  return rows.filter(({ presence }) => presence !== 'online');
}

const leaveSql = `
  WITH gone AS (
    SELECT a.tenant_id, a.id, s.silent_ms
    FROM unnest($1::text[], $2::text[], $3::int[]) AS s (of_tenant, agent, silent_ms)
    JOIN agents a ON a.tenant_id = s.of_tenant AND a.id = s.agent
    WHERE a.seen_by = $4 ORDER BY a.tenant_id, a.id FOR NO KEY UPDATE OF a
  )
  UPDATE agents a SET seen_by = NULL, waiting_until = NULL,
    last_seen_at = app_now() - gone.silent_ms * interval '1 millisecond'
  FROM gone WHERE a.tenant_id = gone.tenant_id AND a.id = gone.id`;

/** The watcher no longer sees these agents; those that another one has taken over are unchanged. */
export async function markGone(db: Db, watcher: string, gone: readonly Departure[]): Promise<void> {
  await db.query(leaveSql, [...valuesOf(gone, ['tenantId', 'id', 'silentMs']), watcher]);
}

export type RecordedAgent = {
  id: string;
  name: string;
  role: string;
  presence: Presence;
  lastSeenAt: Date | null;
  now: Date;
};

/**
 * A lease that was renewed is a sign of its agent, through any process. It runs for $3 seconds; an agent whose lease
 * lasts longer may be silent for longer, and is seen until one lease time before the end.
 */
const lockSql = `
  SELECT id, name, role, presence, app_now() AS now, greatest(last_seen_at, CASE WHEN seen_by IS NOT NULL THEN app_now() END, CASE WHEN active_leases > 0 THEN (
    SELECT least(max(l.expires_at) - $3::int * interval '1 second', app_now())
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

/** Records the presence of locked agents. Their version stays the same. */
export async function setPresence({ db, tenantId }: DbScope, agents: readonly RecordedAgent[]): Promise<void> {
  await db.query(setSql, [tenantId, ...valuesOf(agents, ['id', 'presence', 'lastSeenAt'])]);
}
