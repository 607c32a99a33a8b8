// Steps of a test with a task, and its expected results. Each throws when one is not met.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena, Work } from './arena.ts';
import { pushedFile } from './remote.ts';
import type { Json } from './api.ts';

export type Ending = {
  name: string;
  /** Longest time, in seconds. */
  seconds: number;
  /** Why an agent cannot come to it. */
  not?: Readonly<Record<string, string>>;
  run(arena: Arena, ending: Ending): Promise<string>;
};

export const isOver = ({ status, waiting_on: waiting }: Json) =>
  ['completed', 'failed', 'blocked'].includes(status) || (status === 'open' && waiting?.kind === 'timer');

export function assertSo(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

const reasonOf = async ({ get }: Arena, { task }: Work): Promise<string> => {
  const { data } = await get(`/v1/tasks/${task.id}/timeline?limit=100&sort=-seq`);
  return JSON.stringify(data.filter(({ type }: Json) => type === 'status_change').at(0) ?? {});
};

/** What is known of a task that went wrong. */
export async function tracesOf(arena: Arena, work: Work): Promise<string> {
  return `${await reasonOf(arena, work)}\n${arena.outputOf(work)}`;
}

/** A task that is completed, with this text on its branch. */
export const completes =
  (script: string, text = 'hello', more: Parameters<Arena['addWork']>[1] = {}): Ending['run'] =>
  async (arena, { seconds }) => {
    const work = await arena.addWork(script, more);
    arena.startRunner(work);
    const { status } = await arena.untilTask(work, isOver, seconds);
    assertSo(status === 'completed', `the task is ${status}: ${await tracesOf(arena, work)}`);
    for (const repository of work.repositories) {
      const pushed = pushedFile(repository, work.task.id);
      assertSo(pushed === text, `hello.txt has ${pushed}`);
    }
    return 'completed';
  };

/** A task that is not completed, and whose reason says why. */
export const fails =
  (
    script: string,
    reason: RegExp,
    { flags = [] as readonly string[], flagsOf = {} as Readonly<Record<string, readonly string[]>> } = {},
  ): Ending['run'] =>
  async (arena, { seconds }) => {
    const work = await arena.addWork(script);
    arena.startRunner(work, flagsOf[arena.agent] ?? flags);
    const { status } = await arena.untilTask(work, isOver, seconds);
    const said = await reasonOf(arena, work);
    assertSo(status === 'failed' || status === 'open', `the task is ${status}: ${said}`);
    assertSo(reason.test(said), `the reason is ${said}`);
    await arena.call('DELETE', `/v1/tasks/${work.task.id}`);
    return status === 'failed' ? 'failed' : 'failed, tried again';
  };

export const asks =
  (script: string, answer: string): Ending['run'] =>
  async (arena, { seconds }) => {
    const work = await arena.addWork(script);
    arena.startRunner(work);
    const { status } = await arena.untilTask(work, isOver, seconds);
    assertSo(status === 'blocked', `the task is ${status}: ${await tracesOf(arena, work)}`);
    const { kind } = await arena.answerQuestion(work.task.id, answer);
    const done = await arena.untilTask(work, (now) => now.status !== 'blocked' && isOver(now), seconds);
    assertSo(done.status === 'completed', `the task is ${done.status}: ${await tracesOf(arena, work)}`);
    const pushed = pushedFile(work.repositories[0] ?? '', work.task.id);
    assertSo(pushed === 'asked', `hello.txt has ${pushed}`);
    return `asked (${kind}), completed`;
  };

/** A policy has a person asked before a tool is used; each request is allowed once. `late`: after the agent was given back. */
export const permits =
  (lateSeconds = 0): Ending['run'] =>
  async (arena, { seconds }) => {
    const work = await arena.addWork('commit');
    const rules = [{ action: 'ask', tool: 'execute', pattern: '*' }];
    const made = await arena.call('POST', '/v1/policies', { role: work.role, rules });
    assertSo(made.status === 201, `the policy was not made: ${JSON.stringify(made.body)}`);
    arena.startRunner(work);
    let asked = 0;
    for (;;) {
      const { status } = await arena.untilTask(work, isOver, seconds);
      if (status !== 'blocked') {
        assertSo(status === 'completed', `the task is ${status}: ${await tracesOf(arena, work)}`);
        break;
      }
      await sleep(lateSeconds * 1_000);
      await arena.decidePermission(work.task.id, 'allow_once');
      asked += 1;
      await arena.untilTask(work, (now) => now.status !== 'blocked', seconds);
    }
    assertSo(asked > 0, 'no person was asked');
    const pushed = pushedFile(work.repositories[0] ?? '', work.task.id);
    assertSo(pushed === 'hello', `hello.txt has ${pushed}`);
    return `asked ${asked} times, completed`;
  };
