import type { ModelCallResult, ReportModelCallBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { settleModelCall } from '../../moves/settle-model-call.ts';
import { admissionOf, amountIn, type Concerned } from '../../records/budgets/admission.ts';
import { lockConcerned, lockPeriods } from '../../records/budgets/budget-period.store.ts';
import { keptAmount, shownAmount } from '../../records/budgets/budget.ts';
import {
  insertModelCall,
  lockModelCall,
  roleOfAgent,
  saveModelCall,
} from '../../records/model-calls/model-call.store.ts';
import { type ModelCall, useOf } from '../../records/model-calls/model-call.ts';
import { costOf, type TokenCounts } from '../../records/model-calls/model-price.ts';
import { findPrice } from '../../records/model-calls/model-price.store.ts';
import type { LeaseCall, LeaseWork } from '../leases/lease-work.ts';
import { underLease } from '../leases/under-lease.ts';
import { refusalOf } from './refusal.ts';

type Result = Pick<ModelCallResult, 'cost_usd' | 'exhausted'>;

/**
 * Records what a call to a model used, once. It counts also when the lease is lost by then, or waits for a person. Throws
 * 409 `state` for a call of the proxy that was not started, and what underLease throws.
 */
export function reportModelCall(ctx: UseCaseContext, call: LeaseCall<ReportModelCallBody>): Promise<ModelCallResult> {
  const { body } = call;
  return underLease(ctx, call, (work) => report(work, body), {
    mayBeParked: true,
    whenLost: async (work) => (body.fencing_token > work.lease.fencingToken ? undefined : report(work, body)),
  });
}

async function report(work: LeaseWork, body: ReportModelCallBody): Promise<Result> {
  const { tx, lease, change } = work;
  const { id: leaseId, startedAt: notBefore } = lease;
  const before = await lockModelCall(tx, { leaseId, callId: body.call_id, notBefore });
  if (!before && body.source === 'proxy') throw notStarted();
  if (before?.state === 'closed') return resultOf(before, []);
  const tokens = tokensOf(body);
  const cost = await costOfCall(work, body, tokens);
  if (!before) return recordNew(work, { body, tokens, cost });
  const call: ModelCall = { ...before, state: 'closed', model: body.model, tokens, cost };
  const budgets = await lockPeriods(tx, before.reservations);
  const settled = await settleModelCall(tx, { call, before, budgets, at: change.at });
  await saveModelCall(tx, call);
  return resultOf(call, settled);
}

type Reported = { body: ReportModelCallBody; tokens: TokenCounts; cost: number | null };

async function recordNew({ tx, lease, task, change }: LeaseWork, { body, tokens, cost }: Reported): Promise<Result> {
  const { id: leaseId, agentId } = lease;
  const { id: taskId, projectId, workflowRunId: runId } = task;
  const role = await roleOfAgent(tx, agentId);
  const budgets = await lockConcerned(tx, { taskId, agentId, role, projectId });
  const { call_id: callId, model, source } = body;
  const of = { leaseId, callId, at: change.at, taskId, agentId, role, projectId, runId };
  const use = useOf({ tokens, cost });
  const reservations = budgets.map((budget) => ({ id: budget.id, key: budget.key, amount: amountIn(budget, use) }));
  const call: ModelCall = { ...of, model, source, state: 'closed', tokens, cost, reservations };
  const settled = await settleModelCall(tx, { call, before: undefined, budgets, at: change.at });
  await insertModelCall(tx, call);
  return resultOf(call, settled);
}

/** By the price of the model; where it has none, what the agent says. */
async function costOfCall(
  { tx }: LeaseWork,
  { model, cost_usd: said }: ReportModelCallBody,
  tokens: TokenCounts,
): Promise<number | null> {
  const price = await findPrice(tx, model);
  if (price) return costOf(price, tokens);
  return said === undefined ? null : keptAmount('usd', said);
}

const tokensOf = (body: ReportModelCallBody): TokenCounts => ({
  input: body.input_tokens,
  output: body.output_tokens,
  cacheRead: body.cache_read_tokens,
  cacheWrite: body.cache_write_tokens,
});

function resultOf({ cost }: ModelCall, budgets: readonly Concerned[]): Result {
  const admission = admissionOf(budgets);
  return {
    cost_usd: cost === null ? null : shownAmount('usd', cost),
    exhausted: admission.kind === 'refused' ? refusalOf(admission.budget) : null,
  };
}

function notStarted(): AppError {
  const message = 'The call was not started under this lease. Start it first, or report it with the source agent.';
  return new AppError('conflict', { field: 'call_id', constraint: 'state', message });
}
