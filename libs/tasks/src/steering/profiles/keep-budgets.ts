import { budgetKey, type ProfileSettings } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import { newBudget, withTerms } from '../../records/budgets/budget.ts';
import {
  assertBelowBudgetLimit,
  deleteBudget,
  insertBudget,
  lockBudgetsOfProfile,
  updateBudget,
} from '../../records/budgets/budget.store.ts';

type Wanted = { profileId: string; budgets: ProfileSettings['budgets']; at: Date };

/**
 * Makes the budgets of a profile those that its settings say. One of the same unit and period stays the same budget, with
 * what is used up of it. Throws conflict `limit` when the tenant has more than `max` then.
 */
export async function keepBudgets(tx: Tx, { profileId, budgets, at }: Wanted, max: number): Promise<void> {
  const before = new Map((await lockBudgetsOfProfile(tx, profileId)).map((budget) => [budgetKey(budget), budget]));
  const keys = new Set(budgets.map(budgetKey));
  for (const [key, budget] of before) if (!keys.has(key)) await deleteBudget(tx, budget.id);
  for (const terms of budgets) {
    const budget = before.get(budgetKey(terms));
    if (budget) {
      const changed = withTerms(budget, terms, at);
      if (changed !== budget) await updateBudget(tx, changed);
      continue;
    }
    await assertBelowBudgetLimit(tx, max);
    const id = newId('budget', at.getTime());
    await insertBudget(tx, newBudget({ id, scope: 'profile', scopeId: profileId }, terms, at));
  }
}
