import { assertBelowLimit, type DbScope, selectList, type Tx } from '@eas/db';
import type { Runner } from './runner.ts';

const isOnlineSql = `(last_seen_at > app_now() - interval '90 seconds')`;
export const presenceSql = `CASE WHEN ${isOnlineSql} THEN 'online' ELSE 'offline' END`;
const shownFields = {
  id: true,
  agentId: true,
  instance: true,
  host: true,
  os: true,
  version: true,
  preset: true,
  presetTitle: true,
  agentVersion: true,
  concurrency: true,
  pid: true,
  running: true,
  isDraining: true,
  createdAt: true,
  lastSeenAt: true,
} as const;
/** All that is shown. */
export const runnerColumns = `${selectList(shownFields)}, ${presenceSql} AS presence`;

const seenNow = `last_seen_at = app_now(), last_seen_on = (app_now() AT TIME ZONE 'UTC')::date`;

export async function findRunner({ db, tenantId }: DbScope, id: string): Promise<Runner | undefined> {
  const sql = `SELECT ${runnerColumns} FROM runners WHERE tenant_id = $1 AND id = $2`;
  const [runner] = await db.query<Runner>(sql, [tenantId, id]);
  return runner;
}

/** What a runner reports when it starts. */
export type NewRunner = Omit<Runner, 'running' | 'isDraining' | 'createdAt' | 'lastSeenAt' | 'presence'>;

/** Whether this process has registered before. */
export async function isRegistered(
  { db, tenantId }: DbScope,
  { agentId, instance }: Pick<Runner, 'agentId' | 'instance'>,
): Promise<boolean> {
  return (await db.prisma.runner.count({ where: { tenantId, agentId, instance } })) > 0;
}

/** At the maximum, removes the runner that was not seen for longest, if it is offline: it would register again. */
const evictSql = `
  WITH counted AS (SELECT count(*)::int AS n FROM runners WHERE tenant_id = $1), gone AS (
    DELETE FROM runners WHERE tenant_id = $1 AND id = (
      SELECT id FROM runners WHERE tenant_id = $1 AND NOT ${isOnlineSql} AND (SELECT n FROM counted) >= $2
      ORDER BY last_seen_at LIMIT 1)
    RETURNING 1)
  SELECT n - (SELECT count(*)::int FROM gone) AS n FROM counted`;

/** Throws conflict `limit` when the tenant has `max` runners already that are online. */
export const assertRunnerCapacity = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'runners', max, async () => {
    const [row] = await tx.db.query<{ n: number }>(evictSql, [tx.tenantId, max]);
    return row?.n ?? 0;
  });

const saveSql = `
  INSERT INTO runners (tenant_id, id, agent_id, instance, host, os, version, preset, preset_title, agent_version,
    concurrency, pid, created_at, last_seen_at, last_seen_on)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, app_now(), app_now(), (app_now() AT TIME ZONE 'UTC')::date)
  ON CONFLICT (tenant_id, agent_id, instance) DO UPDATE SET host = excluded.host, os = excluded.os,
    version = excluded.version, preset = excluded.preset, preset_title = excluded.preset_title,
    agent_version = excluded.agent_version, concurrency = excluded.concurrency, pid = excluded.pid, ${seenNow}
  RETURNING ${runnerColumns}`;

/** Inserts a runner, or renews the one that the process has: its id is then another one than the given. */
export async function saveRunner({ db, tenantId }: DbScope, runner: NewRunner): Promise<Runner> {
  const { id, agentId, instance, host, os, version, preset, presetTitle, agentVersion, concurrency, pid } = runner;
  const values = [id, agentId, instance, host, os, version, preset, presetTitle, agentVersion, concurrency, pid];
  const [saved] = await db.query<Runner>(saveSql, [tenantId, ...values]);
  if (!saved) throw new Error('a saved runner was not returned');
  return saved;
}

/** A runner, where it is of that agent; null: of any. */
export type RunnerKey = { id: string; ofAgent: string | null };
const isMeant = `tenant_id = $1 AND id = $2 AND ($3::text IS NULL OR agent_id = $3)`;
const heartbeatSql = `UPDATE runners SET running = $4, ${seenNow} WHERE ${isMeant} RETURNING is_draining AS "isDraining"`;

/** Undefined: there is no such runner. */
export async function recordHeartbeat(
  { db, tenantId }: DbScope,
  { id, ofAgent }: RunnerKey,
  running: number,
): Promise<Pick<Runner, 'isDraining'> | undefined> {
  const [runner] = await db.query<Pick<Runner, 'isDraining'>>(heartbeatSql, [tenantId, id, ofAgent, running]);
  return runner;
}

const drainSql = `UPDATE runners SET is_draining = true WHERE tenant_id = $1 AND id = $2 RETURNING ${runnerColumns}`;

/** Undefined: there is no such runner. */
export async function setDraining({ db, tenantId }: DbScope, id: string): Promise<Runner | undefined> {
  const [runner] = await db.query<Runner>(drainSql, [tenantId, id]);
  return runner;
}

/** False: there is no such runner. */
export async function deleteRunner({ db, tenantId }: DbScope, { id, ofAgent }: RunnerKey): Promise<boolean> {
  const gone = await db.query(`DELETE FROM runners WHERE ${isMeant} RETURNING 1`, [tenantId, id, ofAgent]);
  return gone.length > 0;
}

export async function deleteRunnersOf({ db, tenantId }: DbScope, agentId: string): Promise<void> {
  await db.query('DELETE FROM runners WHERE tenant_id = $1 AND agent_id = $2', [tenantId, agentId]);
}
