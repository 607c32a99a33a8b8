import type { BudgetResource, CreateBudgetBody } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { newBudget } from '../../records/budgets/budget.ts';
import { assertBelowBudgetLimit, insertBudget } from '../../records/budgets/budget.store.ts';
import { getBudget } from '../../records/budgets/read-budgets.ts';

/** Makes a budget. Calls that begin from now on count. Throws conflict `limit` when the tenant has too many. */
export function createBudget(
  ctx: UseCaseContext,
  body: CreateBudgetBody,
): Promise<{ body: BudgetResource; version: number }> {
  const id = newId('budget', ctx.clock.now().getTime());
  const of = { id, scope: body.scope, scopeId: body.scope_id ?? '' };
  return ctx.inTransaction(async (tx) => {
    await assertBelowBudgetLimit(tx, ctx.limits.budgets);
    await insertBudget(tx, newBudget(of, body, new Date(idTimeMs(id))));
    return getBudget(contextInTransaction(ctx, tx), id);
  });
}
