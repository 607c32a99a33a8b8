// A budget that is used up in the middle of a turn, and what an agent could collect meanwhile.
import type { Arena, Work } from './arena.ts';
import { operatorKey } from './agents.ts';
import { assertSo, type Ending, isOver, tracesOf } from './ways.ts';

/** Calls that the budget allows: enough for the agent to begin, and fewer than it makes. */
const limit = 3;

/** The turn ends with the call that is refused, a person is asked, and the task is completed when the limit was raised. */
export async function outOfBudget(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('collect');
  const { call, get } = arena;
  const body = { scope: 'role', scope_id: work.role, unit: 'calls', period: 'day', limit };
  const { id } = (await call('POST', '/v1/budgets', body)).body;
  const startMs = performance.now();
  arena.startRunner(work);
  const { status } = await arena.untilTask(work, isOver, seconds);
  const took = Math.round((performance.now() - startMs) / 1_000);
  const { data } = await get(`/v1/inputs?task_id=${work.task.id}`);
  const isAsked = status === 'blocked' && String(data[0]?.prompt).includes('is used up');
  assertSo(isAsked, `the task is ${status}: ${JSON.stringify(data)} ${await tracesOf(arena, work)}`);
  const { current } = await get(`/v1/budgets/${id}`);
  assertSo(current.spent === limit, `${current.spent} calls were made, ${limit} were allowed`);
  await assertNothingFound(arena, work);
  await call('PATCH', `/v1/budgets/${id}`, { limit: 1_000 });
  await call('POST', `/v1/inputs/${data[0].id}/answer`, { decision: 'approve' });
  const done = await arena.untilTask(work, (now) => now.status !== 'blocked' && isOver(now), seconds);
  assertSo(done.status === 'completed', `the task is ${done.status}: ${await tracesOf(arena, work)}`);
  return `asked after ${limit} calls (${took} s), raised, completed`;
}

async function assertNothingFound(arena: Arena, work: Work): Promise<void> {
  const collected = await arena.untilFile(work, 'collected.txt', 5);
  assertSo(collected.includes('TASK_ID='), 'nothing was collected');
  assertSo(!collected.includes(operatorKey), 'the agent found the key of the operator');
  const session = JSON.stringify(await arena.get(`/v1/tasks/${work.task.id}/session?limit=1000`));
  assertSo(!session.includes(operatorKey), 'the session has the key of the operator');
}
