// Three tasks: one whose checks are red at first, one with a question, and one that is said to be done and is not.
import type { Json } from '../api.ts';
import type { Arena, Work } from '../arena.ts';
import { pushedFile } from '../remote.ts';
import { isOver } from '../ways.ts';

/** A limit for hangs. */
const taskSeconds = 180;

const files = {
  'README.md': '# Logins\n',
  'package.json': '{ "name": "logins", "type": "module" }\n',
  'limit.js': 'export const isAllowed = () => true;\n',
  'limit.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed } from './limit.js';

test('the fifth attempt is allowed', () => assert.equal(isAllowed(5), true));
test('the sixth attempt is refused', () => assert.equal(isAllowed(6), false));
`,
};
const checks = [{ name: 'tests', command: 'node --test', timeout_seconds: 60 }];

export type Expectation = { what: string; isMet: boolean; found: string };

export const say = (line: string): void => console.log(line);

export async function play(arena: Arena): Promise<Expectation[]> {
  return [...(await repair(arena)), ...(await ask(arena)), ...(await claimToBeDone(arena))];
}

async function repair(arena: Arena): Promise<Expectation[]> {
  const description = 'Five attempts are allowed, the sixth is refused.';
  const work = await arena.addWork('limit', { title: 'Limit login attempts', description, files, checks });
  say(`"Limit login attempts": ${arena.agent} works in a worktree of its own, the runner commits and runs the checks`);
  arena.startRunner(work);
  const task = await untilOver(arena, work);
  await sayProgress(arena, work);
  await sayArtifacts(arena, work);
  const pushed = pushedFile(work.repositories[0] ?? '', task.id, 'limit.js') ?? '';
  return [
    isStatus('the task is completed once its checks are green', task, 'completed'),
    { what: 'the repaired code is on its branch', isMet: pushed.includes('<= 5'), found: pushed },
  ];
}

async function ask(arena: Arena): Promise<Expectation[]> {
  const work = await arena.addWork('question', { title: 'Rename the file', description: 'Rename it as agreed.' });
  say(`"Rename the file": a question is no result, so the task waits for a person`);
  arena.startRunner(work);
  const asked = await untilOver(arena, work);
  const { prompt } = await arena.answerQuestion(work.task.id, 'The first.');
  say(`  asked: ${prompt}  answered: The first.`);
  const task = await arena.untilTask(work, (now) => now.status !== 'blocked' && isOver(now), taskSeconds);
  await sayArtifacts(arena, work);
  return [
    isStatus('the task waits for an answer', asked, 'blocked'),
    isStatus('the task is completed after the answer', task, 'completed'),
  ];
}

async function claimToBeDone(arena: Arena): Promise<Expectation[]> {
  const work = await arena.addWork('no-change', { title: 'Write the file', description: 'Write hello.txt.' });
  say('"Write the file": the agent says that it has, and nothing is there');
  arena.startRunner(work);
  const task = await untilOver(arena, work);
  await sayProgress(arena, work);
  await arena.call('DELETE', `/v1/tasks/${work.task.id}`);
  return [isStatus('the task waits to be tried again', task, 'open')];
}

const isStatus = (what: string, { status }: Json, expected: string): Expectation => ({
  what,
  isMet: status === expected,
  found: status,
});

const untilOver = (arena: Arena, work: Work): Promise<Json> => arena.untilTask(work, isOver, taskSeconds);

/** What the agent and the runner said about the task. */
async function sayProgress({ get }: Arena, { task }: Work): Promise<void> {
  const { data } = await get(`/v1/tasks/${task.id}/timeline?limit=100&sort=seq`);
  for (const { type, content, reason, from, to } of data as Json[]) {
    if (type === 'comment') say(`  ${oneLine(content)}`);
    if (type === 'status_change') say(`  ${from} → ${to}${reason ? `: ${oneLine(reason)}` : ''}`);
  }
}

async function sayArtifacts({ get }: Arena, { task }: Work): Promise<void> {
  const { artifacts } = await get(`/v1/tasks/${task.id}`);
  for (const { kind, title } of artifacts as Json[]) say(`  ${kind}: ${title}`);
}

const oneLine = (text: unknown): string => String(text).replaceAll(/\s+/g, ' ').slice(0, 160);
