import { eventually, outboxDrained, runsOf, useTestDatabase } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { describe, expect, it } from '@jest/globals';
import { createPatientClient, type PatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';
import { createAgents, wipeQueueStore, work } from './wreckage.ts';

const test = useTestDatabase();
/** By hand more: STORM_RUNS=1000 STORM_KILLS=8. */
const runCount = Number(process.env['STORM_RUNS'] ?? runsOf(20, 100));
const killCount = Number(process.env['STORM_KILLS'] ?? 3);
/** For hangs alone. */
const timeoutMs = 600_000 + runCount * 500;

const stepKeys = ['plan', 'left', 'right', 'join'];
const step = (id: string, needs: string[]) => ({
  id,
  name: id,
  role: 'storm',
  needs,
  timeout: 600,
  task: { title: `${id} of {{run.name}}`, description: 'd' },
});
const workflow = {
  name: 'Storm',
  description: 'Two branches and a join.',
  estimated_duration: '1 minute',
  steps: [step('plan', []), step('left', ['plan']), step('right', ['plan']), step('join', ['left', 'right'])],
};

async function startRuns(client: PatientClient, workflowId: string, atOnce: number): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < runCount) {
        next += 1;
        const { status } = await client.post(`/v1/workflows/${workflowId}/start`, { name: `run ${next}` });
        expect(status).toBe(201);
      }
    }),
  );
}

async function countOf(sql: string): Promise<number> {
  const [row] = await test.database.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`);
  return Number(row?.n);
}

/** Kills the orchestrator and wipes the queue store, in turns, each at a random share of the work. */
async function wreck(system: System, redisUrl: string | undefined): Promise<void> {
  const shares = Array.from({ length: 2 * killCount }, () => Math.random() * 0.9).sort((a, b) => a - b);
  for (const [index, share] of shares.entries()) {
    const reached = share * runCount * stepKeys.length;
    await eventually(async () => (await countOf(`tasks WHERE status = 'completed'`)) >= reached, timeoutMs);
    if (index % 2 === 1) await wipeQueueStore(test.database, redisUrl);
    // Where it is down at this moment it could not be killed.
    else await eventually(() => isKilled(system), timeoutMs);
  }
}

function isKilled(system: System): boolean {
  try {
    system.kill('workflow-orchestrator');
    return true;
  } catch {
    return false;
  }
}

/** Runs that have something twice, or not at all. */
const brokenSql = `(
  SELECT r.id, r.status,
    (SELECT count(*) FILTER (WHERE s.status = 'completed' AND s.attempt = 1) FROM run_steps s
      WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id) AS steps,
    (SELECT count(*) FILTER (WHERE t.status = 'completed') || ' of ' || count(*) FROM tasks t
      WHERE t.tenant_id = r.tenant_id AND t.workflow_run_id = r.id) AS tasks,
    (SELECT string_agg(kind || ' ' || n, ', ' ORDER BY kind) FROM (
      SELECT kind, count(*) AS n FROM run_timeline e WHERE e.tenant_id = r.tenant_id AND e.run_id = r.id GROUP BY kind
    ) AS kinds) AS entries,
    (SELECT string_agg(type || ' ' || n, ', ' ORDER BY type) FROM (
      SELECT event_type AS type, count(*) AS n FROM events e WHERE e.tenant_id = r.tenant_id
        AND e.event_type LIKE 'workflow.%' AND e.data ->> 'workflow_run_id' = r.id GROUP BY 1
    ) AS types) AS events
  FROM workflow_runs r)`;
const whole = {
  status: 'completed',
  steps: 4,
  tasks: '4 of 4',
  entries: 'completed 1, started 1, step_completed 4, step_started 4',
  events: 'workflow.completed 1, workflow.started 1, workflow.step_completed 4',
};

describe(`runs whose orchestrator is killed and whose queues on ${queueBackEnd.kind} are wiped, again and again`, () => {
  it(
    `all of ${runCount} end completed, each step done once and reported once`,
    async () => {
      const redisUrl = ownRedisDatabase(7);
      const system = await startSystem({ DATABASE_URL: test.url, REDIS_URL: redisUrl });
      let isOver = false;
      try {
        const client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
        const { body } = await client.post('/v1/workflows', workflow);
        const agents = await createAgents(client, 'storm', 8);
        const working = agents.map((id) => work(client, id, () => isOver));
        const starting = startRuns(client, String(body['id']), 4);
        await wreck(system, redisUrl);
        await starting;
        await eventually(async () => (await countOf(`workflow_runs WHERE status = 'started'`)) === 0, timeoutMs);
        isOver = true;
        await Promise.all(working);
        await outboxDrained(test.database, { timeoutMs });
        const runs = await test.database.db.query<{ id: string }>(`SELECT * FROM ${brokenSql} AS found`);
        expect(runs).toHaveLength(runCount);
        expect(runs.map(({ id: _, ...run }) => run)).toEqual(runs.map(() => whole));
        expect(await countOf('outbox')).toBe(0);
      } finally {
        isOver = true;
        await system.stop();
      }
    },
    timeoutMs,
  );
});
