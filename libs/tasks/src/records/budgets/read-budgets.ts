import type { BudgetResource, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { type BudgetFilter, pageBudgets } from './budget-list.read-model.ts';
import { findBudget } from './budget.store.ts';
import { noSuchBudget, toBudgetResource } from './budget.ts';

/** One budget with what is used up of it. Throws not_found. */
export async function getBudget(
  ctx: UseCaseContext,
  budgetId: string,
): Promise<{ body: BudgetResource; version: number }> {
  const budget = await findBudget(ctx, budgetId);
  if (!budget) throw noSuchBudget();
  return { body: toBudgetResource(budget), version: budget.version };
}

export async function listBudgets(
  ctx: UseCaseContext,
  filter: BudgetFilter,
  page: Page,
): Promise<PageOfItems<BudgetResource>> {
  const { items, ...rest } = await pageBudgets(ctx, filter, page);
  return { items: items.map(toBudgetResource), ...rest };
}
