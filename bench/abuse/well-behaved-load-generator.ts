import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnection } from '../harness/open-connection.ts';
import { claim, complete, expectStatus } from '../harness/work-task.ts';
import { type WellBehavedLoad, wellBehavedSteps, type WellBehavedResult, onsetSeconds } from './well-behaved-load.ts';

/** The number of connections in use when calls take half a second. */
const openConnections = 15;

type Act = (connection: Connection) => Promise<void>;

function actsOf({ apiKey, agents, role, platformSecret }: WellBehavedLoad): Act[] {
  const idle = [...agents];
  const taskIds: string[] = [];
  const get = async (connection: Connection, path: string) =>
    expectStatus(await connection.send('GET', path, apiKey), 200);
  return [
    async (connection) => {
      // The title contains the creation time, for the webhook.
      const body = { title: `well-behaved ${Date.now()}`, description: 'To be done.', assigned_role: role };
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
      if (!agent) throw new Error('every well-behaved agent waits for a response');
      const { claimed } = await claim(connection, agent, 0);
      if (claimed) await complete(connection, agent, claimed);
      idle.push(agent);
    },
    async (connection) => {
      const id = randomBytes(8).toString('hex');
      const body = { event: 'taskCreated', task_id: id, webhook_id: 'well-behaved', data: { name: id } };
      const signature = createHmac('sha256', platformSecret).update(JSON.stringify(body)).digest('hex');
      expectStatus(await connection.send('POST', '/webhook/taskplatform', { 'x-signature': signature }, body), 200);
    },
  ];
}

/** Works run after run, and records how long each step took to follow the previous one. */
async function workSteps(
  { url, apiKey, workflowId, worker }: WellBehavedLoad,
  stepsMs: number[],
  isOver: () => boolean,
) {
  const connection = openConnection(url);
  try {
    while (!isOver()) {
      expectStatus(
        await connection.send('POST', `/v1/workflows/${workflowId}/start`, apiKey, { name: 'well-behaved' }),
        201,
      );
      let completedAt: number | undefined;
      for (let step = 0; step < wellBehavedSteps;) {
        const { claimed } = await claim(connection, worker, 10);
        if (!claimed) continue;
        if (completedAt !== undefined) stepsMs.push(performance.now() - completedAt);
        await complete(connection, worker, claimed);
        completedAt = performance.now();
        step += 1;
      }
    }
  } finally {
    connection.close();
  }
}

/** Opens connections and warms the code by calls that are not counted. */
async function prepare(load: WellBehavedLoad) {
  const acts = actsOf(load);
  const result: WellBehavedResult = { onsetMs: [], timesMs: [], stepsMs: [], errors: {} };
  const free: Connection[] = [];

  async function act(number: number, record = (_at: number) => {}): Promise<void> {
    const connection = free.pop() ?? openConnection(load.url);
    try {
      await acts[number % acts.length]?.(connection);
      record(performance.now());
      free.push(connection);
    } catch (error) {
      note(error);
      connection.close();
    }
  }

  function note(error: unknown): void {
    const text = String(error).replace(/req_\w+/, 'req_…');
    result.errors[text] = (result.errors[text] ?? 0) + 1;
  }

  async function run(): Promise<WellBehavedResult> {
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt > (onsetSeconds + load.seconds) * 1_000;
    const working = workSteps(load, result.stepsMs, isOver).catch(note);
    const acting: Promise<void>[] = [];
    for (let number = 0; number < load.perSecond * (onsetSeconds + load.seconds); number += 1) {
      const dueMs = (number * 1_000) / load.perSecond;
      const waitMs = startedAt + dueMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const times = dueMs < onsetSeconds * 1_000 ? result.onsetMs : result.timesMs;
      acting.push(act(number, (at) => times.push(at - startedAt - dueMs)));
    }
    await Promise.all([...acting, working]);
    for (const connection of free) connection.close();
    return result;
  }

  for (let round = 0; round < 2; round += 1)
    await Promise.all(Array.from({ length: openConnections }, (_, number) => act(number)));
  await sleep(500);
  return run;
}

process.once('disconnect', () => process.exit(1));
process.once('message', (load) => {
  void prepare(load as WellBehavedLoad).then((run) => {
    process.once('message', () => void run().then((result) => process.send?.(result, () => process.exit(0))));
    process.send?.('ready');
  });
});
