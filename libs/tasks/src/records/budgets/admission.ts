import type { Budget } from './budget.ts';

/** A budget that concerns a call, and what is used up of it in the period of the call. */
export type Concerned = Pick<Budget, 'id' | 'scope' | 'scopeId' | 'unit' | 'period' | 'limit' | 'warnAtPercent'> & {
  key: string;
  startsAt: Date | null;
  endsAt: Date | null;
  spent: number;
  reserved: number;
  openCalls: number;
  unpricedCalls: number;
  estimatedCalls: number;
  warnedAt: Date | null;
  exhaustedAt: Date | null;
};

export type Admission = { kind: 'allowed' } | { kind: 'refused' | 'wait'; budget: Concerned };

/**
 * Whether a call may begin: not when one of its budgets is used up, and not while the calls that have begun may use one
 * up. So a budget is exceeded by what one call uses at most, however many begin at once, if no call uses more than it
 * reserved.
 */
export function admissionOf(budgets: readonly Concerned[]): Admission {
  const used = budgets.find(({ spent, limit }) => spent >= limit);
  if (used) return { kind: 'refused', budget: used };
  const full = budgets.find(({ spent, reserved, openCalls, limit }) => openCalls > 0 && spent + reserved >= limit);
  return full ? { kind: 'wait', budget: full } : { kind: 'allowed' };
}

/** What a call used, or may use at most. `cost` in micro-USD; null: its model has no price. */
export type CallUse = { tokens: number; cost: number | null };

export function amountIn({ unit }: Pick<Concerned, 'unit'>, { tokens, cost }: CallUse): number {
  if (unit === 'usd') return cost ?? 0;
  return unit === 'tokens' ? tokens : 1;
}

export const reserve = (budget: Concerned, amount: number): Concerned => ({
  ...budget,
  reserved: budget.reserved + amount,
  openCalls: budget.openCalls + 1,
});

export type Settlement = {
  /** What the call counted for until now: reserved while it was open, spent where it was estimated. */
  before: { amount: number; state: 'none' | 'open' | 'estimated' };
  use: CallUse;
  isEstimated: boolean;
};

/** The budget with what a call used, once. */
export function settle(budget: Concerned, { before, use, isEstimated }: Settlement): Concerned {
  const { amount, state } = before;
  const isOpen = state === 'open';
  const wasEstimated = state === 'estimated';
  return {
    ...budget,
    reserved: budget.reserved - (isOpen ? amount : 0),
    openCalls: budget.openCalls - Number(isOpen),
    spent: budget.spent + amountIn(budget, use) - (wasEstimated ? amount : 0),
    unpricedCalls: budget.unpricedCalls + Number(use.cost === null && !wasEstimated),
    estimatedCalls: budget.estimatedCalls + Number(isEstimated) - Number(wasEstimated),
  };
}

export type Crossed = 'budget.warning' | 'budget.exhausted';

/**
 * The budget with the moments at which it was nearly and wholly used up, and which of these are new: each once, and
 * again after the limit was raised.
 */
export function markCrossed(budget: Concerned, at: Date): { budget: Concerned; crossed: Crossed[] } {
  const { spent, limit, warnAtPercent, warnedAt, exhaustedAt } = budget;
  const since = (isSo: boolean, before: Date | null) => (isSo ? (before ?? at) : null);
  const marked = {
    ...budget,
    warnedAt: since(spent >= (limit * warnAtPercent) / 100, warnedAt),
    exhaustedAt: since(spent >= limit, exhaustedAt),
  };
  const crossed: Crossed[] = [];
  if (marked.warnedAt && !warnedAt) crossed.push('budget.warning');
  if (marked.exhaustedAt && !exhaustedAt) crossed.push('budget.exhausted');
  return { budget: marked, crossed };
}
