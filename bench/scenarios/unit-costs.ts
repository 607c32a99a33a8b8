import { setTimeout as sleep } from 'node:timers/promises';
import { startSink } from '../deliveries/start-sink.ts';
import { runAgentLoad } from '../harness/agent-load.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { postJson } from '../harness/post-json.ts';
import { table } from '../harness/report.ts';
import { expectClean } from '../harness/rounds.ts';
import { createPlatformIntegration } from '../inbound/platform-integration.ts';
import { sendChanges } from '../inbound/send-changes.ts';
import { startOwnRuns } from '../runs/own-runs.ts';
import { costOf, minus, parts, type Spent, spentBy, storedKinds } from '../unit-costs/spent.ts';

const role = 'costs';
const [workers, waiting] = [20, 500];
const [received, inFlightRuns] = [8_000, 100];
const seconds = 15;

export const scenario: Scenario = {
  name: 'unit-costs',
  about: 'what a unit of work costs by process, with as much of it as the machine can do',
  async run(bench) {
    if (bench.stores.backend !== 'redis')
      throw new Error('unit-costs is for queues on Redis, as large installations have');
    const costs = await measureUnits(bench);
    costs.run = await measureRuns(bench, costs);
    sayCosts(costs);
  },
};

/**
 * `task`: created, claimed and completed, with its events. `run`: of four steps, with their tasks. `delivery`: of an
 * event to a webhook. `received`: a webhook of a platform that changes a task. `agent`: connected for a second without
 * work. `idle`: a second of all apps without any of it.
 */
type Costs = Record<'task' | 'run' | 'delivery' | 'received' | 'agent' | 'idle', Spent>;

/** All apps with agents at work, other agents that wait, and a platform. */
async function startLoads(bench: Bench) {
  const { apps } = bench;
  const integration = await createPlatformIntegration(apps);
  const [gateway, receiver] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
  if (!gateway || !receiver) throw new Error('the apps did not start');
  const agents = await makeAgents(gateway.url, apps.apiKey, role, workers);
  const idle = await makeAgents(gateway.url, apps.apiKey, 'waits', waiting);
  const load = { url: gateway.url, apiKey: apps.apiKey, role };
  return {
    gateway,
    async cycles() {
      const work = { kind: 'cycles' as const, seconds };
      const result = await runAgentLoad({ ...load, agents, work });
      expectClean('cycles', result);
      await drainBacklog(bench, 300);
      return result.completed;
    },
    async wait(forSeconds: number) {
      const result = await runAgentLoad({
        ...load,
        agents: idle,
        role: 'waits',
        work: { kind: 'wait', seconds: forSeconds },
      });
      expectClean('agents that wait', result);
    },
    async changes(at: number) {
      await sendChanges({ url: receiver.url, integration, run: 'known', at, connections: 16, count: received });
      await drainBacklog(bench, 300);
    },
  };
}

async function measureUnits(bench: Bench): Promise<Costs> {
  const loads = await startLoads(bench);
  const spent = (work: () => Promise<unknown>) => spentBy(bench, work);
  await loads.changes(Date.now());
  await loads.cycles();
  await bench.stores.database.db.query('ANALYZE');
  // What came before leaves something to do: autovacuum, and caches that empty.
  await sleep(seconds * 1_000);
  const idle = costOf(await spent(() => sleep(seconds * 1_000)), seconds);
  const over = (all: Spent, count: number) => costOf(minus(all, idle, all.seconds), count);
  // Both have the start and the end of each agent, which are changes of its presence.
  const [short, long] = [await spent(() => loads.wait(seconds)), await spent(() => loads.wait(4 * seconds))];
  const agent = costOf(minus(minus(long, short, 1), idle, 3 * seconds), waiting * 3 * seconds);
  const cycles = await countedBy(bench, () => loads.cycles());
  const task = over(cycles.spent, cycles.count);
  const changes = await spent(() => loads.changes(Date.now() + 60_000));
  const sink = await startSink();
  await subscribeAll(bench, loads.gateway.url, sink.url);
  const delivered = await countedBy(bench, async () => {
    const tasks = await loads.cycles();
    await allDelivered(bench);
    return tasks;
  });
  const { count: deliveries } = await sink.count();
  sink.stop();
  const ofDeliveries = minus(minus(delivered.spent, idle, delivered.spent.seconds), task, delivered.count);
  await bench.apps.stopAll();
  await clearTables(bench);
  return {
    idle,
    agent,
    task,
    received: over(changes, received),
    delivery: costOf(ofDeliveries, deliveries),
    run: idle,
  };
}

/** Its agents use no gateway: claims and completions of four tasks are added as those of tasks. */
async function measureRuns(bench: Bench, { task, idle }: Costs): Promise<Spent> {
  const own = await startOwnRuns(bench, inFlightRuns);
  try {
    const load = { inFlight: inFlightRuns, warmUpSeconds: 0, seconds };
    await own.run(load);
    let runs = 0;
    const spent = await spentBy(bench, async () => {
      ({ runs } = await own.run(load));
      await drainBacklog(bench, 300);
    });
    const cost = costOf(minus(spent, idle, spent.seconds), runs);
    return { ...cost, ms: { ...cost.ms, 'api-gateway': 4 * task.ms['api-gateway'] } };
  } finally {
    await own.close();
  }
}

async function allDelivered({ stores }: Bench): Promise<void> {
  const sql = `SELECT FROM deliveries WHERE status = 'pending' LIMIT 1`;
  while ((await stores.database.db.query(sql)).length > 0) await sleep(200);
}

async function countedBy(bench: Bench, work: () => Promise<number>): Promise<{ spent: Spent; count: number }> {
  let count = 0;
  const spent = await spentBy(bench, async () => void (count = await work()));
  return { spent, count };
}

const subscribeAll = ({ apps }: Bench, url: string, sinkUrl: string) =>
  postJson(`${url}/v1/webhooks`, apps.apiKey, { url: sinkUrl, events: ['task.*'], secret: 'the secret of the bench' });

function sayCosts(costs: Costs): void {
  const rows = Object.entries(costs).map(([unit, { ms, walBytes, bytes }]) => [
    unit,
    ...parts.map((part) => Number(ms[part].toPrecision(2))),
    Math.round(walBytes),
    ...storedKinds.map((kind) => Math.round(bytes[kind])),
  ]);
  table([['processor ms', ...parts, 'WAL bytes', ...storedKinds.map((kind) => `bytes of ${kind}`)], ...rows]);
}
