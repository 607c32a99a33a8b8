import { eventually, runsOf, startWebhookSink, useTestDatabase } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { describe, expect, it } from '@jest/globals';
import { appNames } from '../src/apps.ts';
import { createPatientClient, type PatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';
import { createAgents, wipeQueueStore, work } from './wreckage.ts';

const test = useTestDatabase();
const taskCount = runsOf(100, 500);
/** For hangs alone. */
const timeoutMs = 600_000;

async function createTasks(client: PatientClient, count: number, atOnce: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        next += 1;
        const { status } = await client.post('/v1/tasks', {
          title: `${next}`,
          description: 'd',
          assigned_role: 'crash',
        });
        expect(status).toBe(201);
      }
    }),
  );
}

const completedCount = async () =>
  Number(
    (await test.database.db.query<{ n: number }>("SELECT count(*) AS n FROM tasks WHERE status = 'completed'"))[0]?.n,
  );

/** Kills every app once and wipes the queue store, each at another share of the work. */
async function wreck(system: System, redisUrl: string | undefined): Promise<void> {
  const blows = [...appNames.map((app) => async () => system.kill(app)), () => wipeQueueStore(test.database, redisUrl)];
  for (const [index, blow] of blows.entries()) {
    const share = ((index + 1) * taskCount) / (blows.length + 2);
    await eventually(async () => (await completedCount()) >= share, timeoutMs);
    await blow();
  }
}

describe(`a system whose processes are killed and whose queues on ${queueBackEnd.kind} are wiped`, () => {
  it(
    `completes all of ${taskCount} tasks and delivers every event`,
    async () => {
      const redisUrl = ownRedisDatabase(9);
      const sink = await startWebhookSink();
      let isOver = false;
      // A claim whose response was lost holds its agent that long; a task whose lease is lost three times has failed.
      const system = await startSystem({ DATABASE_URL: test.url, REDIS_URL: redisUrl, LEASE_SECONDS: '20' });
      try {
        const client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
        await client.post('/v1/webhooks', {
          url: `${sink.url}/hook`,
          events: ['*'],
          secret: 'a secret of some length',
        });
        const agents = await createAgents(client, 'crash', 4);
        const working = agents.map((id) => work(client, id, () => isOver));
        const creating = createTasks(client, taskCount, 4);
        await wreck(system, redisUrl);
        await creating;
        await eventually(async () => (await completedCount()) === taskCount, timeoutMs);
        isOver = true;
        await Promise.all(working);
        await eventually(async () => (await countPending()) === 0, timeoutMs);
        await expectEveryEventReceived(sink.requests.map(({ body }) => JSON.parse(body.toString()) as SentEvent));
      } finally {
        isOver = true;
        await system.stop();
        await sink.close();
      }
    },
    timeoutMs,
  );
});

type SentEvent = { event_id: string; event_type: string };

/** The number of pending events, and of deliveries that have not arrived. */
async function countPending(): Promise<number> {
  const [row] = await test.database.db.query<{ n: number }>(
    "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM deliveries WHERE status <> 'delivered') AS n",
  );
  return Number(row?.n);
}

async function expectEveryEventReceived(sent: SentEvent[]): Promise<void> {
  const ids = await test.database.db.query<{ id: string }>(
    "SELECT event_id AS id FROM events WHERE event_type LIKE 'task.%' ORDER BY event_id",
  );
  const received = new Set(sent.map(({ event_id: id }) => id));
  expect(ids.filter(({ id }) => !received.has(id))).toEqual([]);
  const completed = sent.filter(({ event_type: type }) => type === 'task.completed').map(({ event_id: id }) => id);
  expect(new Set(completed).size).toBe(taskCount);
  // At least once: a duplicate only where a process was killed in the middle of sending.
  expect(sent.length - received.size).toBeLessThanOrEqual(appNames.length * 50);
}
