import type { ModelCallDecision, StartModelCallBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { saveBudgets } from '../../moves/settle-model-call.ts';
import {
  type Admission,
  admissionOf,
  amountIn,
  type Concerned,
  markCrossed,
  reserve,
} from '../../records/budgets/admission.ts';
import { lockConcerned } from '../../records/budgets/budget-period.store.ts';
import { insertModelCall, lockModelCall, roleOfAgent } from '../../records/model-calls/model-call.store.ts';
import { useOf } from '../../records/model-calls/model-call.ts';
import { highestCost } from '../../records/model-calls/model-price.ts';
import { findPrice } from '../../records/model-calls/model-price.store.ts';
import type { LeaseCall, LeaseWork } from '../leases/lease-work.ts';
import { underLease } from '../leases/under-lease.ts';
import { refusalOf } from './refusal.ts';

type Decision = Pick<ModelCallDecision, 'allowed' | 'reason' | 'budget_id' | 'wait_ms'>;

/** Other calls end within seconds. */
const waitMs = 500;

/**
 * Decides whether a call to a model may begin, and reserves of its budgets what it may use. A call that is repeated has
 * begun already. A lease that waits for a person may call: its agent goes on for a while. Throws what underLease throws.
 */
export const startModelCall = (ctx: UseCaseContext, call: LeaseCall<StartModelCallBody>): Promise<ModelCallDecision> =>
  underLease(ctx, call, (work) => start(work, call.body), { mayBeParked: true });

async function start(work: LeaseWork, body: StartModelCallBody): Promise<Decision> {
  const { tx, lease, task, change } = work;
  const { id: leaseId, agentId, startedAt } = lease;
  const known = await lockModelCall(tx, { leaseId, callId: body.call_id, notBefore: startedAt });
  if (known) return allowed;
  const role = await roleOfAgent(tx, agentId);
  const { id: taskId, projectId } = task;
  const budgets = await lockConcerned(tx, { taskId, agentId, role, projectId });
  const admission = admissionOf(budgets);
  if (admission.kind !== 'allowed') {
    // A limit that was lowered is used up from the first call on that it refuses.
    const lowered = budgets.filter((budget) => markCrossed(budget, change.at).crossed.length > 0);
    await saveBudgets(tx, lowered, { taskId, at: change.at });
    return decisionOn(admission);
  }
  await begin(work, { body, role, budgets });
  return allowed;
}

type Beginning = { body: StartModelCallBody; role: string; budgets: readonly Concerned[] };

async function begin({ tx, lease, task, change }: LeaseWork, { body, role, budgets }: Beginning): Promise<void> {
  const { call_id: callId, model, input_tokens: input, max_output_tokens: output } = body;
  const tokens = { input, output, cacheRead: 0, cacheWrite: 0 };
  const price = await findPrice(tx, model);
  const cost = price ? highestCost(price, { input, output }) : null;
  const amounts = budgets.map((budget) => amountIn(budget, useOf({ tokens, cost })));
  const reservations = budgets.map(({ id, key }, at) => ({ id, key, amount: amounts[at] ?? 0 }));
  await insertModelCall(tx, {
    leaseId: lease.id,
    callId,
    taskId: task.id,
    agentId: lease.agentId,
    role,
    projectId: task.projectId,
    runId: task.workflowRunId,
    model,
    source: 'proxy',
    state: 'open',
    tokens,
    cost,
    reservations,
  });
  const reserved = budgets.map((budget, at) => reserve(budget, amounts[at] ?? 0));
  await saveBudgets(tx, reserved, { taskId: task.id, at: change.at });
}

const allowed: Decision = { allowed: true, reason: null, budget_id: null, wait_ms: null };

function decisionOn(admission: Exclude<Admission, { kind: 'allowed' }>): Decision {
  const { kind, budget } = admission;
  const refused = { allowed: false, budget_id: budget.id };
  if (kind === 'wait') return { ...refused, reason: null, wait_ms: waitMs };
  return { ...refused, reason: refusalOf(budget), wait_ms: null };
}
