// A budget that is used up in the middle of a turn, and what an agent could do until then.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './api.ts';
import type { Arena, Work } from './arena.ts';
import { operatorKey } from './agents.ts';
import { usage } from './model/conversation.ts';
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

const tokensOfCall = usage.input + usage.output;
/** Four calls, and the least of a fifth. */
const tokens = 4 * tokensOfCall + 1;

/** Two agents under two runners use up one budget at the same time: by less than one call too much. */
export async function sharedBudget(arena: Arena, { seconds }: Ending): Promise<string> {
  const { call, get } = arena;
  const works = [await arena.addWork('gathered'), await arena.addWork('gathered')];
  const budgets = [{ unit: 'tokens', period: 'day', limit: tokens }];
  const roles = works.map(({ role }) => role);
  const { id } = (await call('POST', '/v1/profiles', { name: `Shared by ${roles[0]}`, roles, budgets })).body;
  const worktrees: string[] = [];
  for (const [at, work] of works.entries()) {
    const workspace = join(arena.folder, `workspace-${at}`);
    arena.startRunner(work, ['--workspace', workspace]);
    // One after the other: some agents write into their home as they start for the first time.
    const files = () => join(workspace, work.task.id);
    worktrees.push(await arena.untilFile({ files }, 'waiting.txt', seconds));
  }
  for (const worktree of worktrees) writeFileSync(join(worktree, 'go.txt'), 'go');
  const stopped = await Promise.all(works.map((work) => arena.untilTask(work, isOver, seconds)));
  assertSo(
    stopped.every(({ status }) => status === 'blocked'),
    `the tasks are ${stopped.map(({ status }) => status)}`,
  );
  const { spent } = (await get(`/v1/budgets?scope=profile&scope_id=${id}`)).data[0].current;
  const over = spent - tokens;
  assertSo(over >= 0 && over < tokensOfCall, `${spent} tokens were used, ${tokens} were allowed`);
  const raised = [{ ...budgets[0], limit: 1_000_000 }];
  await call('PATCH', `/v1/profiles/${id}`, { budgets: raised });
  for (const { task } of works) {
    const { data } = await get(`/v1/inputs?task_id=${task.id}&status=pending`);
    await call('POST', `/v1/inputs/${data[0].id}/answer`, { decision: 'approve' });
  }
  const isDone = (now: Json) => now.status !== 'blocked' && isOver(now);
  const done = await Promise.all(works.map((work) => arena.untilTask(work, isDone, seconds)));
  assertSo(
    done.every(({ status }) => status === 'completed'),
    `the tasks are ${done.map(({ status }) => status)}`,
  );
  return `${over} of the ${tokensOfCall} tokens of a call too many, raised, both completed`;
}

async function assertNothingFound(arena: Arena, work: Work): Promise<void> {
  const collected = await arena.untilFile(work, 'collected.txt', 5);
  assertSo(collected.includes('TASK_ID='), 'nothing was collected');
  assertSo(!collected.includes(operatorKey), 'the agent found the key of the operator');
  const session = JSON.stringify(await arena.get(`/v1/tasks/${work.task.id}/session?limit=1000`));
  assertSo(!session.includes(operatorKey), 'the session has the key of the operator');
}
