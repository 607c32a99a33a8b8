import type { DbScope } from '@eas/db';
import type { Concerned } from './admission.ts';
import { profileIdSql } from '../holders.ts';
import { periodSql } from './period-sql.ts';

/** What decides which budgets a call concerns. */
export type Caller = { taskId: string; agentId: string; role: string; projectId: string | null };

const key = periodSql.key('b', '$2::text');

/** The rows of periods are made where there are none, in the order in which they are locked. */
const findSql = `
  WITH concerned AS MATERIALIZED (
    SELECT b.id, ${key} AS key, ${periodSql.startsAt('b')} AS starts_at, ${periodSql.endsAt('b')} AS ends_at
    FROM budgets b
    WHERE b.tenant_id = $1 AND (b.scope, b.scope_id) IN
      (('tenant', ''), ('task', ''), ('agent', $3::text), ('role', $4::text), ('project', $5::text),
       ('profile', ${profileIdSql({ tenant: '$1', role: '$4::text', agent: '$3::text' })}))
    ORDER BY b.id FOR KEY SHARE
  ), made AS (
    INSERT INTO budget_periods (tenant_id, budget_id, key, starts_at, ends_at)
    SELECT $1, id, key, starts_at, ends_at FROM concerned ORDER BY id ON CONFLICT DO NOTHING
  )
  SELECT id, key FROM concerned`;

const lockSql = `
  SELECT b.id, b.scope, b.scope_id AS "scopeId", b.unit, b.period, b.limit_amount::float8 AS "limit",
    b.warn_at_percent AS "warnAtPercent", p.key, p.starts_at AS "startsAt", p.ends_at AS "endsAt",
    p.spent::float8 AS spent, p.reserved::float8 AS reserved, p.open_calls AS "openCalls",
    p.unpriced_calls AS "unpricedCalls", p.estimated_calls AS "estimatedCalls", p.warned_at AS "warnedAt",
    p.exhausted_at AS "exhaustedAt"
  FROM budget_periods p JOIN budgets b ON b.tenant_id = p.tenant_id AND b.id = p.budget_id
  WHERE p.tenant_id = $1 AND p.budget_id = ANY ($2::text[])
    AND (p.budget_id, p.key) IN (SELECT * FROM unnest($2::text[], $3::text[]))
  ORDER BY p.budget_id, p.key FOR NO KEY UPDATE OF p`;

/** Locks periods of budgets until the transaction ends, always in the same order. Those of deleted budgets are left out. */
export function lockPeriods(
  { db, tenantId }: DbScope,
  periods: readonly { id: string; key: string }[],
): Promise<Concerned[]> {
  if (periods.length === 0) return Promise.resolve([]);
  return db.query<Concerned>(lockSql, [tenantId, periods.map(({ id }) => id), periods.map(({ key: one }) => one)]);
}

/** Locks what is used up of the budgets that concern a call that begins now. */
export async function lockConcerned(scope: DbScope, caller: Caller): Promise<Concerned[]> {
  const { taskId, agentId, role, projectId } = caller;
  const values = [scope.tenantId, taskId, agentId, role, projectId];
  return lockPeriods(scope, await scope.db.query<{ id: string; key: string }>(findSql, values));
}

const saveSql = `
  UPDATE budget_periods p SET spent = c.spent, reserved = c.reserved, open_calls = c."openCalls",
    unpriced_calls = c."unpricedCalls", estimated_calls = c."estimatedCalls", warned_at = c."warnedAt",
    exhausted_at = c."exhaustedAt"
  FROM json_to_recordset($2::json) AS c (id text, key text, spent bigint, reserved bigint, "openCalls" int,
    "unpricedCalls" int, "estimatedCalls" int, "warnedAt" timestamptz, "exhaustedAt" timestamptz)
  WHERE p.tenant_id = $1 AND p.budget_id = c.id AND p.key = c.key`;

/** Writes locked periods back. */
export async function savePeriods({ db, tenantId }: DbScope, budgets: readonly Concerned[]): Promise<void> {
  if (budgets.length > 0) await db.query(saveSql, [tenantId, JSON.stringify(budgets)]);
}
