import { type Database, type Db, earliestAt, removeInBatches, type Tx } from '@eas/db';
import { settleModelCall } from '../moves/settle-model-call.ts';
import { lockPeriods } from '../records/budgets/budget-period.store.ts';
import { lockModelCall, saveModelCall } from '../records/model-calls/model-call.store.ts';
import type { ModelCall } from '../records/model-calls/model-call.ts';
import { type DueRow, sweepDue } from './due-rows.sweeper.ts';

type DueCall = DueRow & { leaseId: string; callId: string; at: Date };

const idSql = `lease_id || ' ' || call_id`;
const dueSql = `
  SELECT tenant_id AS "tenantId", ${idSql} AS id, due_at AS "dueAt", lease_id AS "leaseId", call_id AS "callId", at
  FROM model_calls WHERE due_at <= app_now() AND (due_at, ${idSql}) > ($1::timestamptz, $2::text)
  ORDER BY due_at, ${idSql}`;

/** Counts calls whose usage did not come in time as they were estimated. Returns how many. Several may run at once. */
export const sweepUnreportedCalls = (database: Database): Promise<number> => sweepDue(database, dueSql, estimate);

export const nextUnreportedCallAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT due_at FROM model_calls WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1');

async function estimate(tx: Tx, { leaseId, callId, at: notBefore }: DueCall, at: Date): Promise<boolean> {
  const before = await lockModelCall(tx, { leaseId, callId, notBefore });
  if (before?.state !== 'open') return false;
  const call: ModelCall = { ...before, state: 'estimated' };
  const budgets = await lockPeriods(tx, before.reservations);
  await settleModelCall(tx, { call, before, budgets, at });
  await saveModelCall(tx, call);
  return true;
}

/** Retention of past days and months, in days. */
const keptDays = 400;

/** Deletes old budget periods; totals of tasks are kept. Returns how many. */
export const sweepOldBudgetPeriods = (db: Db, signal?: AbortSignal): Promise<number> =>
  removeInBatches(db, {
    table: 'budget_periods',
    where: `ends_at < app_now() - interval '${keptDays} days'`,
    orderBy: 'ends_at',
    signal,
  });
