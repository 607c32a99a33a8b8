import { formatTimestamp } from '@eas/core';
import { append, type Tx } from '@eas/db';
import { type Concerned, type Crossed, markCrossed, settle, type Settlement } from '../records/budgets/admission.ts';
import { savePeriods } from '../records/budgets/budget-period.store.ts';
import { shownAmount } from '../records/budgets/budget.ts';
import { type ModelCall, usageOf, useOf } from '../records/model-calls/model-call.ts';

export type SettledCall = {
  call: ModelCall;
  /** As it was until now; undefined: it was not started. */
  before: ModelCall | undefined;
  /** The used amounts of its budgets, locked. */
  budgets: readonly Concerned[];
  at: Date;
};

/**
 * Counts what a call used in its budgets and for analytics, once: the caller writes the call in the same transaction.
 * Returns the updated budgets.
 */
export async function settleModelCall(tx: Tx, { call, before, budgets, at }: SettledCall): Promise<Concerned[]> {
  const settled = budgets.map((budget) => settle(budget, settlementOf(budget, call, before)));
  await saveBudgets(tx, settled, { taskId: call.taskId, at });
  append(tx, { type: 'usage.recorded', at, data: usageOf(call, before), facts: null });
  return settled;
}

function settlementOf(budget: Concerned, call: ModelCall, before: ModelCall | undefined): Settlement {
  const reservation = before?.reservations.find(({ id, key }) => id === budget.id && key === budget.key);
  const state = before?.state === 'open' || before?.state === 'estimated' ? before.state : 'none';
  const counted = { amount: reservation?.amount ?? 0, state } as const;
  return { before: counted, use: useOf(call), isEstimated: call.state === 'estimated' };
}

export type Use = { taskId: string; at: Date };

/** Writes locked periods back, and publishes which of them became nearly or fully used up. */
export async function saveBudgets(tx: Tx, budgets: readonly Concerned[], use: Use): Promise<void> {
  const marked = budgets.map((budget) => markCrossed(budget, use.at));
  await savePeriods(
    tx,
    marked.map(({ budget }) => budget),
  );
  for (const { budget, crossed } of marked) for (const type of crossed) appendCrossed(tx, type, budget, use);
}

function appendCrossed(tx: Tx, type: Crossed, budget: Concerned, { taskId, at }: Use): void {
  const { id, scope, scopeId, unit, period, limit, spent, startsAt, endsAt } = budget;
  const data = {
    budget_id: id,
    scope,
    scope_id: scopeId === '' ? null : scopeId,
    unit,
    period,
    limit: shownAmount(unit, limit),
    spent: shownAmount(unit, spent),
    starts_at: startsAt && formatTimestamp(startsAt),
    ends_at: endsAt && formatTimestamp(endsAt),
    task_id: taskId,
  };
  append(tx, { type, at, data, facts: null });
}
