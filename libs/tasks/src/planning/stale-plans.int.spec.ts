import { newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { changeAgent } from '../steering/change-agent.ts';
import { createAgent } from '../steering/create-agent.ts';
import { changeTask } from '../steering/change-task.ts';
import { retryTask } from '../steering/retry-task.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { answerInput } from '../steering/answer-input.ts';
import { askInput } from '../working/leases/ask-input.ts';
import { completeTask } from '../working/leases/complete-task.ts';
import { sweepUnrevivedLeases } from '../sweeping/parked-lease.sweeper.ts';
import { decideByHand } from '../steering/decide-by-hand.ts';
import { createTask } from '../moves/create-task.ts';
import { getTask } from '../reading/get-task.ts';
import { planTasks } from './plan-tasks.ts';

const test = useTestDatabase();
afterEach(() => test.shiftClock(0));

/** An agent with a capability, and a task that it has claimed. */
async function setUp(contract = {}) {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = { name: 'a', role: 'rd', capabilities: ['go'], max_concurrent_tasks: 2 };
  const { id: agentId } = await createAgent(ctx, agent);
  const task = await createTask(ctx, newTask({ contract, metadata: { required_capabilities: ['go'] } }));
  const { claim } = await claimTask(ctx, { agentId });
  const { lease_id: leaseId = '', fencing_token: token = 0 } = claim?.body.lease ?? {};
  return { ctx, agentId, taskId: task.id, call: { leaseId }, token: { fencing_token: token } };
}

const agentOf = async (ctx: UseCaseContext, id: string) => (await getTask(ctx, id)).body.assigned_agent;
const asksFor = [
  ['another role', { assigned_role: 'qa' }, false],
  ['another capability', { metadata: { required_capabilities: ['rust'] } }, false],
  ['nothing else', { title: 'n' }, true],
] as const;

describe('the plan of a task that is open again', () => {
  it.each(asksFor)('after a rejected review, when it requires %s in the meantime', async (_, body, stays) => {
    const { ctx, agentId, taskId, call, token } = await setUp({ review: { person: true } });
    await completeTask(ctx, { ...call, body: token });
    await changeTask(ctx, { taskId, body });
    await decideByHand(ctx, { taskId, decision: 'reject' });
    expect(await agentOf(ctx, taskId)).toBe(stays ? agentId : null);
  });

  it.each(asksFor)('after it was completed, when it requires %s in the meantime', async (_, body, stays) => {
    const { ctx, agentId, taskId, call, token } = await setUp();
    await completeTask(ctx, { ...call, body: token });
    await changeTask(ctx, { taskId, body });
    await retryTask(ctx, taskId);
    expect(await agentOf(ctx, taskId)).toBe(stays ? agentId : null);
  });

  it.each(asksFor.slice(1))(
    'after its agent did not come back, when it requires %s in the meantime',
    async (_, body, stays) => {
      const { ctx, agentId, taskId, call, token } = await setUp();
      const question = { kind: 'question' as const, prompt: 'p', options: [], expires_in_seconds: 60, blocking: true };
      const { input } = await askInput(ctx, { ...call, body: { ...token, ...question } });
      await changeTask(ctx, { taskId, body });
      await answerInput(ctx, { inputId: input.id, body: { answer: 'a' } });
      await test.shiftClock(601);
      await sweepUnrevivedLeases(test.database);
      expect(await agentOf(ctx, taskId)).toBe(stays ? agentId : null);
    },
  );
});

describe('the plan for an agent that has lost a capability', () => {
  it('is withdrawn, except for tasks that it is still eligible for or that a person pinned to it', async () => {
    const { ctx, agentId } = await setUp();
    const make = async (required: string[], pinned = false) => {
      const metadata = { required_capabilities: required };
      return (await createTask(ctx, newTask({ assigned_agent: pinned ? agentId : null, metadata }))).id;
    };
    const [needy, plain, pinned] = [await make(['go']), await make([]), await make(['go'], true)];
    await planTasks(
      ctx,
      [needy, plain].map((id) => ({ type: 'task.created', data: { task_id: id } }) as never),
    );
    await changeAgent(ctx, { agentId, body: { capabilities: ['rust'] } });
    const agents = await Promise.all([needy, plain, pinned].map((id) => agentOf(ctx, id)));
    expect(agents).toEqual([null, agentId, agentId]);
  });
});
