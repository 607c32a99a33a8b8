import { z } from 'zod';
import { refuseRepeated } from '../../repeated.ts';
import { type BudgetTerms, budgetTerms, budgetTermsInput, isLimitOfUnit } from '../usage/budget-terms.ts';

const text = 'A limit of what the agents with a profile may use models for, all together.';
export const exampleProfileBudget = { unit: 'usd', period: 'day', limit: 20, warn_at_percent: 80 } as const;
const example = exampleProfileBudget;

const budgetInput = z
  .strictObject(budgetTermsInput)
  .refine(...isLimitOfUnit)
  .meta({ id: 'ProfileBudgetInput', description: text, example });
const budget = z.object(budgetTerms).meta({ id: 'ProfileBudget', description: text, example });

/** One for each unit and period. */
const maxBudgets = 9;
export const budgetKey = ({ unit, period }: Pick<BudgetTerms, 'unit' | 'period'>): string => `${unit} ${period}`;

function checkBudgets(budgets: readonly BudgetTerms[], context: z.RefinementCtx): void {
  const what = 'the period of another budget in this unit';
  refuseRepeated(budgets.map(budgetKey), { context, field: 'period', what });
}

export const budgetsInput = z.array(budgetInput).max(maxBudgets).superRefine(checkBudgets);
export const budgetsOutput = z.array(budget).max(maxBudgets);
