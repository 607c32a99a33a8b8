import { formatTimestamp } from '@eas/core';
import { type Concerned } from '../../records/budgets/admission.ts';
import { shownAmount } from '../../records/budgets/budget.ts';

const units = { usd: 'USD', tokens: 'tokens', calls: 'model calls' };

/** Why a call is refused, for the people who see it in the agent's own messages. */
export function refusalOf(budget: Concerned): string {
  const { id, unit, spent, limit, endsAt } = budget;
  const used = `${shownAmount(unit, spent)} of ${shownAmount(unit, limit)} ${units[unit]}`;
  const until = endsAt ? `, or wait until ${formatTimestamp(endsAt)}` : '';
  return `The budget ${whose(budget)} is used up: ${used}${periodOf(budget)}. Raise the limit of the budget ${id}${until}.`;
}

function whose({ scope, scopeId }: Concerned): string {
  if (scope === 'tenant') return 'of the tenant';
  return scope === 'task' ? 'of this task' : `of the ${scope} ${scopeId}`;
}

function periodOf({ period, scope, startsAt }: Concerned): string {
  if (period === 'task') return scope === 'task' ? '' : ' for this task';
  const day = startsAt?.toISOString().slice(0, 10) ?? '';
  return period === 'day' ? ` on ${day}` : ` in ${day.slice(0, 7)}`;
}
