import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Json, useRunners } from './runners.ts';

const { call, get, addTask, untilTask, start, workspace } = useRunners({ leaseSeconds: 60 });
const role = 'asking';
const kills = 200;
const [questions, atOnce] = [3, 4];

/** Asks one question after the other; fails when an answer is not that of its question. */
const agent = `
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

it('of tasks whose runner is killed at any moment no answer is lost, and none goes to another question', async () => {
  const file = join(workspace(), 'agent.mjs');
  writeFileSync(file, agent);
  let isOver = false;
  const people = (async () => {
    while (!isOver) {
      const { data } = await get('/v1/inputs?status=pending&limit=100');
      for (const { id, prompt } of data as Json[])
        if (Math.random() < 0.5) await call('POST', `/v1/inputs/${id}/answer`, { answer: `for ${prompt}` });
      await sleep(100);
    }
  })();
  const tasks: Json[] = [];
  const open = async () => {
    const all = await Promise.all(tasks.map(({ id }) => get(`/v1/tasks/${id}`)));
    return all.filter(({ status }) => status !== 'completed').length;
  };
  const run = () =>
    start(role, `exec node ${file}`, ['--concurrency', String(atOnce), '--name', 'Asking', '--check', '0.3']);
  let runner = run();
  for (let killed = 0; killed < kills; killed += 1) {
    for (let missing = atOnce + 1 - (await open()); missing > 0; missing -= 1) tasks.push(await addTask(role));
    // On a busy machine a runner needs seconds to start: leases outlast several that are killed before they work.
    while (!runner.log().includes('working as')) await sleep(50);
    await sleep(Math.random() * 1_500);
    await runner.end('SIGKILL');
    runner = run();
  }
  const ended: Json[] = [];
  for (const { id } of tasks) ended.push(await untilTask(id, ({ status }) => ['completed', 'failed'].includes(status)));
  isOver = true;
  await people;
  expect(ended.filter(({ status }) => status !== 'completed').map(({ activity }) => activity)).toEqual([]);
  for (const { id } of tasks) {
    const { data } = await get(`/v1/inputs?task_id=${id}&limit=100`);
    const answered = (data as Json[])
      .filter(({ status }) => status === 'answered')
      .map(({ prompt, answer }) => [prompt, answer]);
    expect(new Set(answered.map(([prompt]) => prompt)).size).toBe(questions);
    for (const [prompt, answer] of answered) expect(answer).toBe(`for ${prompt}`);
  }
}, 1_800_000);
