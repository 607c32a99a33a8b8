import type { UseCaseContext } from '@eas/db';
import {
  changeBudget as change,
  changeModelPrices as changePrices,
  createBudget as create,
  removeBudget as remove,
} from '@eas/tasks';
import { audited } from './audited.ts';

// Budgets and prices decide what agents may spend, so the log says who set them.

export const createBudget = (ctx: UseCaseContext, body: Parameters<typeof create>[1]): ReturnType<typeof create> =>
  audited(
    ctx,
    (inner) => create(inner, body),
    ({ body: { id } }) => ({ action: 'budget.created', target: id, data: body }),
  );

/** A patch that changes nothing leaves no entry. */
export const changeBudget = (ctx: UseCaseContext, patch: Parameters<typeof change>[1]): ReturnType<typeof change> =>
  audited(
    ctx,
    (inner) => change(inner, patch),
    ({ isChanged }) => (isChanged ? { action: 'budget.changed', target: patch.budgetId, data: patch.body } : undefined),
  );

export const removeBudget = (ctx: UseCaseContext, budgetId: string): Promise<void> =>
  audited(
    ctx,
    (inner) => remove(inner, budgetId),
    () => ({ action: 'budget.deleted', target: budgetId }),
  );

export const changeModelPrices = (
  ctx: UseCaseContext,
  patch: Parameters<typeof changePrices>[1],
): ReturnType<typeof changePrices> =>
  audited(
    ctx,
    (inner) => changePrices(inner, patch),
    ({ isChanged }) => (isChanged ? { action: 'model_prices.changed', target: null, data: patch.body } : undefined),
  );
