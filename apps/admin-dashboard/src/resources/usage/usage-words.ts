import type { Schemas } from '../../api/client.ts';
import { atMostBefore } from '../../parts/times.ts';

export type UsageGroup = Schemas['UsageGroup'];
export type Budget = Schemas['Budget'];

/** What budgets count, in words. */
export const budgetUnits: Readonly<Record<Budget['unit'], string>> = { usd: 'USD', tokens: 'tokens', calls: 'calls' };

/** The period of a budget, in words. */
export const budgetPeriods: Readonly<Record<Budget['period'], string>> = {
  day: 'a day (UTC)',
  month: 'a month (UTC)',
  task: 'a task',
};

export const figure = (amount: number): string => amount.toLocaleString('en', { maximumFractionDigits: 6 });

/** An amount with its unit: `4.2 USD`, `1,000 tokens`, `1 call`. */
export function amountText(unit: Budget['unit'], amount: number): string {
  const counted = budgetUnits[unit];
  return `${figure(amount)} ${amount === 1 ? counted.replace(/s$/, '') : counted}`;
}

type Tokens = 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens';

export const tokensOf = (sums: Pick<Schemas['UsageSums'], Tokens>): number =>
  sums.input_tokens + sums.output_tokens + sums.cache_read_tokens + sums.cache_write_tokens;

/** A series has at most 400 points. */
const mostDays = 390;

/** The creation of a resource, or the earliest time that usage can be requested for. */
export const usageSince = (createdAt: string, nowMs: number): string => atMostBefore(createdAt, mostDays, nowMs);

/** Whose calls a budget is about, and for how long. */
export function budgetName({ scope, scope_id: id, period }: Budget): string {
  const whose = id === null ? (scope === 'task' ? 'each task' : 'all agents') : `${scope} ${id}`;
  return period === 'task' ? `${whose}, for a task` : `${whose}, this ${period}`;
}
