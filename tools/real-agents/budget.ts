// A budget that is used up in the middle of a turn, and what an agent could collect meanwhile.
import type { Arena } from './arena.ts';
import { operatorKey } from './agents.ts';
import { assertSo, type Ending, isOver, reasonOf, tracesOf } from './ways.ts';

/** Calls that the budget allows: enough for the agent to begin, and fewer than it makes. */
const limit = 3;

/** The turn ends with the call that is refused, and the reason of the failure is that of the service. */
export async function outOfBudget(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('collect');
  const { call, get } = arena;
  const body = { scope: 'role', scope_id: work.role, unit: 'calls', period: 'day', limit };
  const { id } = (await call('POST', '/v1/budgets', body)).body;
  const startMs = performance.now();
  arena.startRunner(work);
  const { status } = await arena.untilTask(work, isOver, seconds);
  const took = Math.round((performance.now() - startMs) / 1_000);
  const said = await reasonOf(arena, work);
  assertSo(said.includes('is used up'), `the task is ${status}, the reason is ${said}: ${await tracesOf(arena, work)}`);
  const { current } = await get(`/v1/budgets/${id}`);
  assertSo(current.spent === limit, `${current.spent} calls were made, ${limit} were allowed`);
  const collected = await arena.untilFile(work, 'collected.txt', 5);
  assertSo(collected.includes('TASK_ID='), 'nothing was collected');
  assertSo(!collected.includes(operatorKey), 'the agent found the key of the operator');
  const session = JSON.stringify(await get(`/v1/tasks/${work.task.id}/session?limit=1000`));
  assertSo(!session.includes(operatorKey), 'the session has the key of the operator');
  await call('DELETE', `/v1/tasks/${work.task.id}`);
  return `refused after ${current.spent} calls, ended after ${took} s`;
}
