import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { doubleLine } from '../src/acp/double-agent.fixture.ts';
import { type Json, newRole, useRunners } from './runners.ts';

// Longer than a killed runner takes to come back on a busy machine: a task fails after three lost leases.
const { call, get, addTask, untilTask, start, workspace } = useRunners({ leaseSeconds: 180 });
const kills = 200;
const [questions, atOnce] = [3, 4];

/** Asks one question after the other; fails when an answer is not that of its question. */
const command = `
  import { createInterface } from 'node:readline';
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { task, context } = await next();
  const say = (text) => console.log(process.env.SAY + ' ' + text);
  const known = new Map(context.answers.map(({ prompt, answer }) => [prompt, answer]));
  for (let number = 1; number <= ${questions}; number += 1) {
    const prompt = task.id + ' ' + number;
    if (!known.has(prompt)) {
      say('ask ' + JSON.stringify({ kind: 'question', prompt }));
      let message = await next();
      while (message.kind !== 'answer') message = await next();
      known.set(prompt, message.answer);
    }
    if (known.get(prompt) !== 'for ' + prompt) {
      say('fail ' + prompt + ' got: ' + known.get(prompt));
      process.exit(1);
    }
  }
  say('summary answered');
  process.exit(0);
`;

/** The answer to what a command asks, or a coding agent (played) in a form. */
const answerTo = ({ kind, prompt }: Json) =>
  kind === 'form' ? { content: { answer: `for ${prompt}` } } : { answer: `for ${prompt}` };
const givenAnswer = ({ answer, content }: Json): string => answer ?? content.answer;

it.each(['a command', 'a coding agent'])(
  'of tasks of %s whose runner is killed at any moment no answer is lost, and none goes to another question',
  async (which) => {
    const file = join(workspace(), 'agent.mjs');
    writeFileSync(file, command);
    const role = newRole();
    const flags = ['--concurrency', String(atOnce), '--name', `Asking ${role}`, '--check', '0.3'];
    const run = () =>
      which === 'a command'
        ? start(role, `exec node ${file}`, flags)
        : start(role, undefined, [...flags, '--acp', doubleLine('questions', '--resume')]);
    let isOver = false;
    const people = (async () => {
      while (!isOver) {
        const { data } = await get('/v1/inputs?status=pending&limit=100');
        for (const input of data as Json[])
          if (Math.random() < 0.5) await call('POST', `/v1/inputs/${input.id}/answer`, answerTo(input));
        await sleep(100);
      }
    })();
    const tasks: Json[] = [];
    const open = async () => {
      const all = await Promise.all(tasks.map(({ id }) => get(`/v1/tasks/${id}`)));
      return all.filter(({ status }) => status !== 'completed').length;
    };
    let runner = run();
    let startedAt = performance.now();
    for (let killed = 0; killed < kills / 2; killed += 1) {
      for (let missing = atOnce + 1 - (await open()); missing > 0; missing -= 1) tasks.push(await addTask(role));
      while (!runner.log().includes('working as')) await sleep(50);
      // So that a runner gets as far on a busy machine as on another.
      await sleep(Math.random() * Math.max(1_500, performance.now() - startedAt));
      await runner.end('SIGKILL');
      runner = run();
      startedAt = performance.now();
    }
    const ended: Json[] = [];
    for (const { id } of tasks)
      ended.push(await untilTask(id, ({ status }) => ['completed', 'failed'].includes(status)));
    isOver = true;
    await people;
    expect(ended.filter(({ status }) => status !== 'completed').map(({ activity }) => activity)).toEqual([]);
    for (const { id } of tasks) {
      const { data } = await get(`/v1/inputs?task_id=${id}&limit=100`);
      const answered = (data as Json[]).filter(({ status }) => status === 'answered');
      expect(new Set(answered.map(({ prompt }) => prompt)).size).toBe(questions);
      for (const input of answered) expect(givenAnswer(input)).toBe(`for ${input.prompt}`);
    }
  },
  1_800_000,
);
