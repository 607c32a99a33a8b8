import { z } from 'zod';
import { usdInput } from './model-prices.ts';

export const budgetUnits = ['usd', 'tokens', 'calls'] as const;
export const budgetPeriods = ['day', 'month', 'task'] as const;
export type BudgetUnit = (typeof budgetUnits)[number];
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Most USD, and most tokens or calls. */
const [maxUsd, maxCount] = [1_000_000_000, 1_000_000_000_000_000];

const unit = z.enum(budgetUnits).describe('What is counted: USD, tokens of all kinds, or calls.');
const period = z
  .enum(budgetPeriods)
  .describe('For how long it counts: a day or a month (UTC, by the clock of the database), or a task from its start.');
const limit = usdInput(maxCount).describe(
  `The limit: USD with up to 6 digits after the decimal point, or a whole number of tokens or calls. At most ${maxUsd} USD.`,
);
export const warnAt = z
  .int()
  .min(1)
  .max(100)
  .describe('From that share of the limit on there is one `budget.warning`.');
export const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

/** Finds the problem of a limit in its unit. */
export function limitProblem(unit: BudgetUnit, limit: number): string | undefined {
  if (unit === 'usd') return limit > maxUsd ? `must be at most ${maxUsd} USD` : undefined;
  return Number.isInteger(limit) ? undefined : 'must be a whole number of tokens or calls';
}

/** The limit of a budget in requests. */
export const budgetTermsInput = { unit, period, limit, warn_at_percent: warnAt.default(80) };
export const budgetTerms = {
  unit,
  period,
  limit: amount.describe('The limit, in the unit of the budget.'),
  warn_at_percent: warnAt,
};
export type BudgetTerms = z.output<z.ZodObject<typeof budgetTerms>>;

const limitRule = {
  path: ['limit'],
  params: { constraint: 'format' },
  message: `must be a whole number of tokens or calls, or at most ${maxUsd} USD`,
};
/** A refinement of what has a limit and its unit. */
export const isLimitOfUnit = [
  ({ unit, limit }: Pick<BudgetTerms, 'unit' | 'limit'>): boolean => limitProblem(unit, limit) === undefined,
  limitRule,
] as const;
