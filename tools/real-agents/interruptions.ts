// What happens to a task from outside while its agent works.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena, Work } from './arena.ts';
import { pushedFile } from './remote.ts';
import { endRunner } from './runner.ts';
import { assertSo, type Ending, isOver, tracesOf } from './ways.ts';

/** Longest time until nothing of an agent is left: it gets SIGTERM, and SIGKILL after 5 s. */
const goneSeconds = 30;

/** The agent of a task and all that it has started, by what only they have in their environment. */
function processesOf({ task }: Work): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(`TASK_ID=${task.id}`)).map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** Does something to a runner whose agent is in the middle of a command; gives the seconds until nothing of the agent is left. */
async function interrupt(arena: Arena, work: Work, seconds: number, act: () => Promise<unknown>): Promise<string> {
  await arena.untilFile(work, 'started.txt', seconds);
  const before = processesOf(work);
  assertSo(before.length > 0, 'no process of the agent was found');
  await act();
  const startMs = performance.now();
  const left = () => processesOf(work).filter((pid) => before.includes(pid));
  while (left().length > 0 && performance.now() < startMs + goneSeconds * 1_000) await sleep(200);
  assertSo(left().length === 0, `${left().length} processes of the agent are still there`);
  return ((performance.now() - startMs) / 1_000).toFixed(1);
}

export async function cancelInTool(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('hang');
  const runner = arena.startRunner(work);
  const took = await interrupt(arena, work, seconds, () => arena.call('DELETE', `/v1/tasks/${work.task.id}`));
  while (!runner.log().includes('stopped: cancel')) await sleep(100);
  return `ended after ${took} s`;
}

export async function killRunner(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('hang-once');
  const runner = arena.startRunner(work);
  const took = await interrupt(arena, work, seconds, async () => {
    await endRunner(runner, 'SIGKILL');
    arena.startRunner(work);
  });
  const { status } = await arena.untilTask(work, isOver, seconds);
  assertSo(status === 'completed', `the task is ${status}: ${await tracesOf(arena, work)}`);
  assertSo(pushedFile(work.repositories[0] ?? '', work.task.id) === 'hello', 'hello.txt is not there');
  return `ended after ${took} s, completed by the next runner`;
}

export async function messageInTurn(arena: Arena, { seconds }: Ending): Promise<string> {
  const work = await arena.addWork('message');
  arena.startRunner(work);
  const untilStarted = performance.now() + seconds * 1_000;
  while (!arena.model.seen.some(({ script }) => script === 'message') && performance.now() < untilStarted)
    await sleep(200);
  await sleep(1_000);
  await arena.call('POST', `/v1/tasks/${work.task.id}/messages`, { content: 'Be quick.' });
  const { status } = await arena.untilTask(work, isOver, seconds);
  assertSo(status === 'completed', `the task is ${status}: ${await tracesOf(arena, work)}`);
  const pushed = pushedFile(work.repositories[0] ?? '', work.task.id);
  assertSo(pushed === 'quick', `hello.txt has ${pushed}`);
  return 'completed, heard';
}
