import type { BudgetPeriod, BudgetResource, BudgetScope, BudgetTerms, BudgetUnit } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';

export type Budget = {
  id: string;
  scope: BudgetScope;
  /** Empty for the scopes tenant and task. */
  scopeId: string;
  unit: BudgetUnit;
  period: BudgetPeriod;
  /** In micro-USD, tokens or calls, as all amounts of a budget. */
  limit: number;
  warnAtPercent: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

/** What is used up in one period. */
export type BudgetUse = {
  startsAt: Date | null;
  endsAt: Date | null;
  spent: number;
  reserved: number;
  unpricedCalls: number;
  estimatedCalls: number;
};

const millionth = 1e6;

/** An amount as it is kept: whole numbers, of USD the millionths. */
export const keptAmount = (unit: BudgetUnit, shown: number): number =>
  unit === 'usd' ? Math.round(shown * millionth) : shown;

/** An amount as clients see it. */
export const shownAmount = (unit: BudgetUnit, kept: number): number => (unit === 'usd' ? kept / millionth : kept);

/** A new budget of a scope. */
export const newBudget = (
  { id, scope, scopeId }: Pick<Budget, 'id' | 'scope' | 'scopeId'>,
  { unit, period, limit, warn_at_percent: warnAtPercent }: BudgetTerms,
  at: Date,
): Budget => {
  const terms = { unit, period, limit: keptAmount(unit, limit), warnAtPercent };
  return { id, scope, scopeId, ...terms, version: 1, createdAt: at, updatedAt: at };
};

/** The same one with other terms, or as it was where these are the same. */
export function withTerms<T extends Budget>(
  budget: T,
  { limit, warn_at_percent: warnAtPercent }: Partial<Pick<BudgetTerms, 'limit' | 'warn_at_percent'>>,
  at: Date,
): T {
  const after = {
    limit: limit === undefined ? budget.limit : keptAmount(budget.unit, limit),
    warnAtPercent: warnAtPercent ?? budget.warnAtPercent,
  };
  const isSame = after.limit === budget.limit && after.warnAtPercent === budget.warnAtPercent;
  return isSame ? budget : { ...budget, ...after, version: budget.version + 1, updatedAt: at };
}

/** Whether it counts each task by itself. */
const isByTask = ({ scope, period }: Pick<Budget, 'scope' | 'period'>): boolean =>
  scope === 'task' || period === 'task';

/** With what is used up of it in the current period. */
export function toBudgetResource(budget: Budget & BudgetUse): BudgetResource {
  const { id, scope, scopeId, unit, period, limit, warnAtPercent, version, createdAt, updatedAt } = budget;
  return {
    id,
    scope,
    scope_id: scopeId === '' ? null : scopeId,
    unit,
    period,
    limit: shownAmount(unit, limit),
    warn_at_percent: warnAtPercent,
    current: shownUse(budget),
    version,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  };
}

function shownUse(budget: Budget & BudgetUse): BudgetResource['current'] {
  const { unit, limit, startsAt, endsAt, spent, reserved, unpricedCalls, estimatedCalls } = budget;
  if (isByTask(budget) || !startsAt || !endsAt) return null;
  return {
    starts_at: formatTimestamp(startsAt),
    ends_at: formatTimestamp(endsAt),
    spent: shownAmount(unit, spent),
    reserved: shownAmount(unit, reserved),
    is_exhausted: spent >= limit,
    unpriced_calls: unpricedCalls,
    estimated_calls: estimatedCalls,
  };
}

export const noSuchBudget = (): AppError => new AppError('not_found', { message: 'The budget does not exist.' });
