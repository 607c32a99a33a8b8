import type { Db } from '../connection/db.ts';
import { removeInBatches } from '../retention/batches.sweeper.ts';
import { type Load, loadFields, others, type TenantLoads, weightOf } from './tenant-loads.ts';

const addSql = `
  INSERT INTO tenant_loads AS l (tenant_id, at, calls, database_ms, bytes, received, attempts)
  SELECT s.tenant_id, date_trunc('minute', app_now()), s.calls, s.database_ms, s.bytes, s.received, s.attempts
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
    AS s (tenant_id, calls, database_ms, bytes, received, attempts)
  ORDER BY s.tenant_id
  ON CONFLICT (tenant_id, at) DO UPDATE SET calls = l.calls + excluded.calls,
    database_ms = l.database_ms + excluded.database_ms, bytes = l.bytes + excluded.bytes,
    received = l.received + excluded.received, attempts = l.attempts + excluded.attempts`;

/** Stores what this process did since the last time, under the current minute. What cannot be stored is lost. */
export async function recordLoads(db: Db, loads: TenantLoads): Promise<void> {
  const taken = loads.take();
  if (taken.size === 0) return;
  const rows = [...taken.values()];
  await db.query(addSql, [[...taken.keys()], ...loadFields.map((field) => rows.map((row) => Math.round(row[field])))]);
}

/** `slug`, `name`: null if it does not exist any more. */
type TenantLoad = Load & { tenantId: string; slug: string | null; name: string | null; share: number };
/** `weight`: of all tenants together, in calls. */
export type Loudest = { tenants: TenantLoad[]; weight: number };

const readSql = `
  SELECT l.*, t.slug, t.name FROM (
    SELECT tenant_id AS "tenantId", sum(calls)::float8 AS calls, sum(database_ms)::float8 AS "databaseMs",
      sum(bytes)::float8 AS bytes, sum(received)::float8 AS received, sum(attempts)::float8 AS attempts
    FROM tenant_loads WHERE at >= $1 AND at < $2 GROUP BY tenant_id
  ) AS l LEFT JOIN tenants t ON t.id = l."tenantId"`;

/** The tenants that cost most in a time, the loudest first, with their share of all. */
export async function readLoudest(
  db: Db,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<Loudest> {
  const rows = await db.query<Omit<TenantLoad, 'share'>>(readSql, [from, to]);
  const weight = rows.reduce((sum, row) => sum + weightOf(row), 0);
  const tenants = rows
    .filter(({ tenantId }) => tenantId !== others)
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, limit)
    .map((row) => ({ ...row, share: weightOf(row) / weight }));
  return { tenants, weight };
}

const keptSql = `app_now() - interval '2 hours'`;

/** Deletes loads of minutes that are over for two hours, and claimed times of a day ago. Returns how many. */
export async function sweepLoads(db: Db, signal?: AbortSignal): Promise<number> {
  const old = (table: string, where: string) =>
    removeInBatches(db, { table, where: `at < ${where}`, orderBy: 'at', signal });
  return (await old('tenant_loads', keptSql)) + (await old('claimed_times', `app_now() - interval '1 day'`));
}
