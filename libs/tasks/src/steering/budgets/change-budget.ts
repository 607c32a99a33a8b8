import { type BudgetResource, type ChangeBudgetBody, limitProblem } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { keptAmount, noSuchBudget, toBudgetResource } from '../../records/budgets/budget.ts';
import { deleteBudget, lockBudget, updateBudget } from '../../records/budgets/budget.store.ts';

type Patch = { budgetId: string; ifMatch?: readonly number[] | undefined; body: ChangeBudgetBody };

/** A JSON merge patch. Calls that begin from now on are held to it. Throws 404, 412, and invalid_input for the limit. */
export function changeBudget(
  ctx: UseCaseContext,
  { budgetId, ifMatch, body: { limit, warn_at_percent: warnAtPercent } }: Patch,
): Promise<{ body: BudgetResource; version: number; isChanged: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockBudget(tx, budgetId);
    if (!before) throw noSuchBudget();
    assertVersion(before.version, ifMatch);
    const problem = limit === undefined ? undefined : limitProblem(before.unit, limit);
    if (problem !== undefined) throw wrongLimit(problem);
    const after = {
      ...before,
      limit: limit === undefined ? before.limit : keptAmount(before.unit, limit),
      warnAtPercent: warnAtPercent ?? before.warnAtPercent,
    };
    const isChanged = after.limit !== before.limit || after.warnAtPercent !== before.warnAtPercent;
    const changed = isChanged ? { ...after, version: before.version + 1, updatedAt: ctx.clock.now() } : before;
    if (isChanged) await updateBudget(tx, changed);
    return { body: toBudgetResource(changed), version: changed.version, isChanged };
  });
}

/** Deletes a budget: it limits nothing any more. Throws 404. */
export function removeBudget(ctx: UseCaseContext, budgetId: string): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    if (!(await lockBudget(tx, budgetId))) throw noSuchBudget();
    await deleteBudget(tx, budgetId);
  });
}

function wrongLimit(problem: string): AppError {
  return new AppError('invalid_input', { violations: [{ field: 'limit', constraint: 'format', message: problem }] });
}
