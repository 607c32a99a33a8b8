import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningApp, workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { makeAgents } from '../../harness/make-agents.ts';
import { processorMs } from '../../harness/memory.ts';
import { type Connection, openConnection } from '../../harness/open-connection.ts';
import { quantile, say, table } from '../../harness/report.ts';
import { type BenchAgent, benchTask, claim, complete, expectStatus } from '../../harness/work-task.ts';

const samples = Number(process.env['BENCH_SAMPLES'] ?? 300);
const waitingClaims = Number(process.env['BENCH_WAITING'] ?? 1_000);
/** The first samples warm connections and caches. */
const warmUp = 20;
const pauseMs = 20;
const role = 'latency';

export const scenario: Scenario = {
  name: 'claim-latency',
  about: `idle system: a claim that finds a task, a claim that waits for one, and ${waitingClaims} claims that wait`,
  async run(bench) {
    const { apps } = bench;
    const [gateway, other] = await apps.startAll(['api-gateway', 'api-gateway', 'webhook-receiver', ...workerApps]);
    if (!gateway || !other) throw new Error('the gateways did not start');
    const [agent] = await makeAgents(gateway.url, apps.apiKey, role, 1);
    if (!agent) throw new Error('no agent was made');
    await sleep(1_000);
    const unknown = await sampleRead(bench, gateway, '/v1/unknown');
    const read = await sampleRead(bench, gateway, `/v1/agents/${agent.id}`);
    const found = await sampleFound(bench, gateway, agent);
    const here = await sampleWaiting(bench, { waitsAt: gateway, createsAt: gateway }, agent);
    const elsewhere = await sampleWaiting(bench, { waitsAt: gateway, createsAt: other }, agent);
    const row = (label: string, times: number[]) => [
      label,
      ...[0.5, 0.9, 0.99, 1].map((share) => quantile(times, share)),
    ];
    table([
      ['', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'],
      row('an unknown path: HTTP alone', unknown),
      row('GET of an agent: one statement', read),
      row('a claim that finds a task', found),
      row('201 → waiting claim has it, same process', here),
      row('201 → waiting claim has it, other process', elsewhere),
    ]);
    await measureWaiting(bench, gateway);
    await apps.stopAll();
    await clearTables(bench);
  },
};

/** What any request takes of a system at rest, for comparison. */
async function sampleRead({ apps }: Bench, { url }: RunningApp, path: string): Promise<number[]> {
  const connection = openConnection(url);
  const times: number[] = [];
  for (let number = -warmUp; number < samples; number += 1) {
    await sleep(pauseMs);
    const { tookMs } = await connection.send('GET', path, apps.apiKey);
    if (number >= 0) times.push(tookMs);
  }
  connection.close();
  return times;
}

async function sampleFound({ apps }: Bench, { url }: RunningApp, agent: BenchAgent): Promise<number[]> {
  const connection = openConnection(url);
  const times: number[] = [];
  for (let number = -warmUp; number < samples; number += 1) {
    await create(connection, apps.apiKey);
    await sleep(pauseMs);
    // Not 0: a task that is being planned at this moment is skipped, and its claim woken.
    const { claimed, reply } = await claim(connection, agent, 1);
    if (!claimed) throw new Error('the task was not there');
    if (number >= 0) times.push(reply.tookMs);
    await complete(connection, agent, claimed);
  }
  connection.close();
  return times;
}

type Apps = { waitsAt: RunningApp; createsAt: RunningApp };

/** Lets a claim wait, creates a task, and takes the time from the 201 to the claim's response. */
async function sampleWaiting({ apps }: Bench, { waitsAt, createsAt }: Apps, agent: BenchAgent): Promise<number[]> {
  const [waiting, creating] = [openConnection(waitsAt.url), openConnection(createsAt.url)];
  const times: number[] = [];
  for (let number = -warmUp; number < samples; number += 1) {
    const coming = claim(waiting, agent, 30);
    await sleep(pauseMs);
    const created = await create(creating, apps.apiKey);
    const { claimed, reply } = await coming;
    if (!claimed) throw new Error('the task did not come');
    if (number >= 0) times.push(Math.max(0, reply.at - created.at));
    await complete(waiting, agent, claimed);
  }
  waiting.close();
  creating.close();
  return times;
}

async function create(connection: Connection, apiKey: string) {
  const created = await connection.send('POST', '/v1/tasks', apiKey, benchTask(role));
  expectStatus(created, 201);
  return created;
}

/** The cost of waiting claims: processor time of the gateway and its busy database connections. */
async function measureWaiting(bench: Bench, gateway: RunningApp): Promise<void> {
  const { apps, options } = bench;
  const seconds = Math.max(5, Math.min(25, options.roundSeconds * options.rounds));
  const agents = await makeAgents(gateway.url, apps.apiKey, 'waiting', waitingClaims);
  await sleep(2_000);
  const none = await observe(bench, gateway, seconds);
  const connections = agents.map(() => openConnection(gateway.url));
  const responses = agents.map((agent, index) =>
    claim(connections[index] as Connection, agent, 30).catch(() => undefined),
  );
  await sleep(3_000);
  const all = await observe(bench, gateway, seconds);
  for (const connection of connections) connection.close();
  await Promise.all(responses);
  table([
    ['claims that wait', 'gateway % of a core', 'all apps %', 'connections in use', 'connections open'],
    [0, ...none],
    [waitingClaims, ...all],
  ]);
  say(`  over ${seconds} s each; connections of the gateways, the most in use at any of ${seconds * 10} samples`);
}

async function observe({ apps, stores }: Bench, gateway: RunningApp, seconds: number): Promise<number[]> {
  const used = () => [gateway, ...apps.running()].map(({ pid }) => processorMs(pid));
  const before = used();
  const startedAt = performance.now();
  let [busiest, open] = [0, 0];
  while (performance.now() - startedAt < seconds * 1_000) {
    const [row] = await stores.database.db.query<{ busy: number; open: number }>(connectionsSql);
    busiest = Math.max(busiest, row?.busy ?? 0);
    open = row?.open ?? 0;
    await sleep(100);
  }
  const share = 100 / (performance.now() - startedAt);
  const [own = 0, ...others] = used().map((ms, index) => (ms - (before[index] ?? 0)) * share);
  return [own, others.reduce((sum, one) => sum + one, 0), busiest, open];
}

const connectionsSql = `
  SELECT count(*)::int AS open, count(*) FILTER (WHERE state <> 'idle')::int AS busy FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'api-gateway'`;
