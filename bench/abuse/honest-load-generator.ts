import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { doAsChild } from '../harness/child-task.ts';
import { type Connection, openConnection } from '../harness/open-connection.ts';
import { claim, complete, expectStatus } from '../harness/work-task.ts';
import type { HonestLoad, HonestResult } from './honest-load.ts';

type Act = (connection: Connection) => Promise<void>;

function actsOf({ apiKey, agents, role, platformSecret }: HonestLoad): Act[] {
  const idle = [...agents];
  const taskIds: string[] = [];
  const get = async (connection: Connection, path: string) =>
    expectStatus(await connection.send('GET', path, apiKey), 200);
  return [
    async (connection) => {
      // The webhook that tells of it says when it was created.
      const body = { title: `honest ${Date.now()}`, description: 'To be done.', assigned_role: role };
      const created = await connection.send('POST', '/v1/tasks', apiKey, body);
      expectStatus(created, 201);
      taskIds.push(String(created.body['id']));
    },
    async (connection) => {
      const id = taskIds.at(-1);
      if (id) await get(connection, `/v1/tasks/${id}`);
    },
    (connection) => get(connection, '/v1/tasks?limit=20'),
    async (connection) => {
      const agent = idle.pop();
      if (!agent) throw new Error('every honest agent waits for an answer');
      const { claimed } = await claim(connection, agent, 0);
      if (claimed) await complete(connection, agent, claimed);
      idle.push(agent);
    },
    async (connection) => {
      const id = randomBytes(8).toString('hex');
      const body = { event: 'taskCreated', task_id: id, webhook_id: 'honest', data: { name: id } };
      const signature = createHmac('sha256', platformSecret).update(JSON.stringify(body)).digest('hex');
      expectStatus(await connection.send('POST', '/webhook/taskplatform', { 'x-signature': signature }, body), 200);
    },
  ];
}

async function run(load: HonestLoad): Promise<HonestResult> {
  const acts = actsOf(load);
  const timesMs: number[] = [];
  const errors: Record<string, number> = {};
  const free: Connection[] = [];
  const everyMs = 1_000 / load.perSecond;

  async function act(number: number, dueAt?: number): Promise<void> {
    const connection = free.pop() ?? openConnection(load.url);
    try {
      await acts[number % acts.length]?.(connection);
      if (dueAt !== undefined) timesMs.push(performance.now() - dueAt);
      free.push(connection);
    } catch (error) {
      const text = String(error).replace(/req_\w+/, 'req_…');
      errors[text] = (errors[text] ?? 0) + 1;
      connection.close();
    }
  }

  // A client at work: its code is compiled and its connections are open.
  for (let number = 0; number < 2 * acts.length; number += 1) await act(number);
  const startedAt = performance.now();
  const acting: Promise<void>[] = [];
  for (let number = 0; number < load.perSecond * load.seconds; number += 1) {
    const dueAt = startedAt + number * everyMs;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    acting.push(act(number, dueAt));
  }
  await Promise.all(acting);
  for (const connection of free) connection.close();
  return { timesMs, errors };
}

doAsChild<HonestLoad>(run);
