import { type Db, removeInBatches, type Tx } from '@eas/db';
import { paceOf } from './call-pace.ts';
import { type CallKey, type CallPayload, maxSlowCalls } from './platform-call.ts';

/** A call that one process makes now. `fence`: what it did counts only while the integration has this number. */
export type TakenCall = CallKey & {
  tenantId: string;
  payload: CallPayload;
  /** This one included. */
  attempts: number;
  fence: number;
};

/** Longer than any call takes. */
const leaseSeconds = 60;

type DueApi = { tenantId: string; integrationId: string; now: Date; slotAt: Date; pausedUntil: Date | null };
type DueCall = CallKey & { payload: CallPayload; rank: number; attempts: number };

const apiSql = `
  SELECT tenant_id AS "tenantId", integration_id AS "integrationId", app_now() AS now, slot_at AS "slotAt",
    paused_until AS "pausedUntil"
  FROM platform_apis
  WHERE slow_calls BETWEEN $2 AND $3 AND due_at <= app_now() AND coalesce(lease_until <= app_now(), true)
    AND tenant_id <> ALL ($1::text[])
  ORDER BY slow_calls, due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

// One that is wanted again right now is locked before its integration is: to wait for it here would be for ever.
const callSql = `
  SELECT integration_id AS "integrationId", kind, external_id AS "externalId", key, payload, rank, attempts
  FROM platform_calls
  WHERE tenant_id = $1 AND integration_id = $2 AND state = 'waiting' AND due_at <= app_now()
  ORDER BY rank, due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;

const waitSql = `
  UPDATE platform_apis SET lease_until = NULL, due_at = greatest($3::timestamptz, (
    SELECT min(due_at) FROM platform_calls WHERE tenant_id = $1 AND integration_id = $2 AND state = 'waiting'
  )) WHERE tenant_id = $1 AND integration_id = $2`;

const idleSql = `
  UPDATE platform_apis SET lease_until = NULL, due_at = (
    SELECT min(due_at) FROM platform_calls WHERE tenant_id = $1 AND integration_id = $2 AND state = 'waiting'
  ) WHERE tenant_id = $1 AND integration_id = $2`;

const takeSql = `
  WITH taken AS (
    UPDATE platform_apis SET fence = fence + 1, slot_at = $6, lease_until = app_now() + interval '${leaseSeconds} seconds',
      due_at = app_now() + interval '${leaseSeconds} seconds'
    WHERE tenant_id = $1 AND integration_id = $2 RETURNING fence
  ), tried AS (
    UPDATE platform_calls SET attempts = attempts + 1
    WHERE tenant_id = $1 AND integration_id = $2 AND kind = $3 AND external_id = $4 AND key = $5 RETURNING attempts
  )
  SELECT taken.fence, tried.attempts FROM taken, tried`;

/** `isSlow`: integrations whose last call was slow, those with the fewest slow calls first, or those whose was not. */
export type CallTurn = { busyTenants: readonly string[]; isSlow: boolean };

/**
 * Takes the next call of the integration that waits longest, if its pace allows one. undefined: none is due; null: its
 * integration has to wait, others may not. Integrations of `busyTenants` are left out.
 */
export async function takeCall(tx: Tx, { busyTenants, isSlow }: CallTurn): Promise<TakenCall | null | undefined> {
  const [api] = await tx.db.query<DueApi>(apiSql, [busyTenants, ...(isSlow ? [1, maxSlowCalls] : [0, 0])]);
  if (!api) return undefined;
  const { tenantId, integrationId, now, slotAt, pausedUntil } = api;
  const [call] = await tx.db.query<DueCall>(callSql, [tenantId, integrationId]);
  if (!call) {
    await tx.db.query(idleSql, [tenantId, integrationId]);
    return null;
  }
  const moments = { now: now.getTime(), slotAt: slotAt.getTime(), pausedUntil: pausedUntil?.getTime() ?? null };
  const pace = paceOf(moments, call.rank);
  if (!pace.mayCall) {
    await tx.db.query(waitSql, [tenantId, integrationId, new Date(pace.at)]);
    return null;
  }
  const { kind, externalId, key, payload } = call;
  const values = [tenantId, integrationId, kind, externalId, key, new Date(pace.slotAt)];
  const [taken] = await tx.db.query<{ fence: number; attempts: number }>(takeSql, values);
  if (!taken) return null;
  return { tenantId, integrationId, kind, externalId, key, payload, ...taken };
}

const backlogSql = `
  SELECT count(*)::int AS waiting FROM (SELECT 1 FROM platform_calls WHERE state = 'waiting' LIMIT 10000) AS w`;

/** Calls of all tenants that wait, counted up to 10,000. */
export async function countWaitingCalls(db: Db): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(backlogSql);
  return row?.waiting ?? 0;
}

const keptDays = 30;

/** Removes calls that ended long ago. Gives how many. */
export function sweepOldCalls(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'platform_calls',
    where: `finished_at < app_now() - interval '${keptDays} days'`,
    orderBy: 'finished_at',
    signal,
  });
}
