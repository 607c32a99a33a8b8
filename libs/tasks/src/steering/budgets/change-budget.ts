import { type BudgetResource, type ChangeBudgetBody, limitProblem } from '@eas/contracts';
import { AppError, assertVersion } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { type Budget, noSuchBudget, toBudgetResource, withTerms } from '../../records/budgets/budget.ts';
import { deleteBudget, lockBudget, updateBudget } from '../../records/budgets/budget.store.ts';
import { findProfile } from '../../records/profiles/profile.store.ts';

type Patch = { budgetId: string; ifMatch?: readonly number[] | undefined; body: ChangeBudgetBody };

/**
 * A JSON merge patch. Calls that begin from now on are held to it. Throws 404, 412, invalid_input for the limit, and
 * conflict `state` for a budget of a profile.
 */
export function changeBudget(
  ctx: UseCaseContext,
  { budgetId, ifMatch, body }: Patch,
): Promise<{ body: BudgetResource; version: number; isChanged: boolean }> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockBudget(tx, budgetId);
    if (!before) throw noSuchBudget();
    assertVersion(before.version, ifMatch);
    await assertOfNoProfile(tx, before);
    const problem = body.limit === undefined ? undefined : limitProblem(before.unit, body.limit);
    if (problem !== undefined) throw wrongLimit(problem);
    const changed = withTerms(before, body, ctx.clock.now());
    const isChanged = changed !== before;
    if (isChanged) await updateBudget(tx, changed);
    return { body: toBudgetResource(changed), version: changed.version, isChanged };
  });
}

/** Deletes a budget: it limits nothing any more. Throws 404, and conflict `state` for a budget of a profile. */
export function removeBudget(ctx: UseCaseContext, budgetId: string): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    const budget = await lockBudget(tx, budgetId);
    if (!budget) throw noSuchBudget();
    await assertOfNoProfile(tx, budget);
    await deleteBudget(tx, budgetId);
  });
}

/** The budgets of a profile are changed only by its settings. One that a deleted profile left can be deleted. */
async function assertOfNoProfile(tx: Tx, { scope, scopeId }: Budget): Promise<void> {
  if (scope !== 'profile' || !(await findProfile(tx, scopeId))) return;
  const message = `The budget is a setting of the profile ${scopeId}. Change the budgets of the profile.`;
  throw new AppError('conflict', { field: 'scope', constraint: 'state', message });
}

function wrongLimit(problem: string): AppError {
  return new AppError('invalid_input', { violations: [{ field: 'limit', constraint: 'format', message: problem }] });
}
