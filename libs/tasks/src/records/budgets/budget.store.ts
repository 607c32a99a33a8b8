import { assertBelowLimit, type DbScope, lockRow, type Tx } from '@eas/db';
import type { Budget, BudgetUse } from './budget.ts';
import { periodSql } from './period-sql.ts';

/** All that is shown of a budget `b`; with what is used up of the current period, which is `p`. */
export const budgetColumns = `
  b.id, b.scope, b.scope_id AS "scopeId", b.unit, b.period, b.limit_amount::float8 AS "limit",
  b.warn_at_percent AS "warnAtPercent", b.version, b.created_at AS "createdAt", b.updated_at AS "updatedAt"`;
export const useColumns = `
  ${periodSql.startsAt('b')} AS "startsAt", ${periodSql.endsAt('b')} AS "endsAt",
  coalesce(p.spent, 0)::float8 AS spent, coalesce(p.reserved, 0)::float8 AS reserved,
  coalesce(p.unpriced_calls, 0) AS "unpricedCalls", coalesce(p.estimated_calls, 0) AS "estimatedCalls"`;
/** Of budgets that count each task by itself there is no current period. */
export const withUse = `
  budgets b LEFT JOIN budget_periods p ON p.tenant_id = b.tenant_id AND p.budget_id = b.id
    AND p.key = ${periodSql.name('b')} AND b.scope <> 'task' AND b.period <> 'task'`;

const findSql = `SELECT ${budgetColumns}, ${useColumns} FROM ${withUse} WHERE b.tenant_id = $1 AND b.id = $2`;

export async function findBudget({ db, tenantId }: DbScope, id: string): Promise<(Budget & BudgetUse) | undefined> {
  const [budget] = await db.query<Budget & BudgetUse>(findSql, [tenantId, id]);
  return budget;
}

/** Locks a budget until the transaction ends. */
export async function lockBudget(scope: DbScope, id: string): Promise<(Budget & BudgetUse) | undefined> {
  await lockRow(scope, 'budgets', id);
  return findBudget(scope, id);
}

const lockOfProfileSql = `
  SELECT ${budgetColumns} FROM budgets b
  WHERE b.tenant_id = $1 AND b.scope = 'profile' AND b.scope_id = $2 ORDER BY b.id FOR NO KEY UPDATE`;

/** Locks the budgets of a profile until the transaction ends. */
export const lockBudgetsOfProfile = ({ db, tenantId }: Tx, profileId: string): Promise<Budget[]> =>
  db.query<Budget>(lockOfProfileSql, [tenantId, profileId]);

/** Throws conflict `limit` when the tenant has `max` budgets already. */
export const assertBelowBudgetLimit = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'budgets', max, () => tx.db.prisma.budget.count({ where: { tenantId: tx.tenantId } }));

export async function insertBudget({ db, tenantId }: Tx, { limit, ...budget }: Budget): Promise<void> {
  await db.prisma.budget.create({ data: { ...budget, limitAmount: limit, tenantId } });
}

/** Writes a locked budget back: what of it can change. */
export async function updateBudget(
  { db, tenantId }: Tx,
  { id, limit, warnAtPercent, version, updatedAt }: Budget,
): Promise<void> {
  const data = { limitAmount: limit, warnAtPercent, version, updatedAt };
  await db.prisma.budget.update({ where: { tenantId_id: { tenantId, id } }, data });
}

/** Deletes a locked budget and what was used up of it. */
export async function deleteBudget({ db, tenantId }: Tx, id: string): Promise<void> {
  await db.prisma.budgetPeriod.deleteMany({ where: { tenantId, budgetId: id } });
  await db.prisma.budget.delete({ where: { tenantId_id: { tenantId, id } } });
}
