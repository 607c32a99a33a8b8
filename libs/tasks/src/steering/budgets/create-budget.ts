import type { BudgetResource, CreateBudgetBody } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { keptAmount } from '../../records/budgets/budget.ts';
import { assertBelowBudgetLimit, insertBudget } from '../../records/budgets/budget.store.ts';
import { getBudget } from '../../records/budgets/read-budgets.ts';

/** Makes a budget. Calls that begin from now on count. Throws conflict `limit` when the tenant has too many. */
export function createBudget(
  ctx: UseCaseContext,
  body: CreateBudgetBody,
): Promise<{ body: BudgetResource; version: number }> {
  const { scope, scope_id: scopeId, unit, period, limit, warn_at_percent: warnAtPercent } = body;
  const id = newId('budget', ctx.clock.now().getTime());
  const createdAt = new Date(idTimeMs(id));
  const times = { version: 1, createdAt, updatedAt: createdAt };
  return ctx.inTransaction(async (tx) => {
    await assertBelowBudgetLimit(tx, ctx.limits.budgets);
    const kept = { scope, scopeId: scopeId ?? '', unit, period, limit: keptAmount(unit, limit), warnAtPercent };
    await insertBudget(tx, { id, ...kept, ...times });
    return getBudget(contextInTransaction(ctx, tx), id);
  });
}
