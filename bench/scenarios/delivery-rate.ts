import { setTimeout as sleep } from 'node:timers/promises';
import type { BareLoop, BareResult } from '../deliveries/bare-loop.ts';
import { fillBacklog } from '../deliveries/fill-backlog.ts';
import type { PostedEvents, PostEvents } from '../deliveries/post-events.ts';
import { type Sink, startSink } from '../deliveries/start-sink.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { runInChild } from '../harness/child-task.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { postJson } from '../harness/post-json.ts';
import { say, table } from '../harness/report.ts';

const events = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const inFlight = 64;
const bytes = 512;
const patienceMs = 300_000;
const processes = [
  'webhook-dispatcher',
  'postgres',
  'api-gateway',
  'workflow-orchestrator',
  'analytics-aggregator',
  'redis',
];

export const scenario: Scenario = {
  name: 'delivery-rate',
  about: `${events} events of ${bytes} bytes delivered: from a backlog, and created by POST with ${inFlight} in flight`,
  async run(bench) {
    const sink = await startSink();
    const rows: Row[] = [];
    try {
      const bare: BareLoop = { url: `${sink.url}/bare`, bytes, inFlight, seconds: 5 };
      const { perSecond } = await runInChild<BareResult>('../deliveries/bare-loop.ts', bare);
      rows.push(['bare loop of the HTTP client', Math.round(perSecond), ...processes.map(() => ''), '']);
      for (const endpoints of [1, 10]) {
        rows.push(await drain(bench, sink, endpoints));
        rows.push(await createAndDeliver(bench, sink, endpoints));
      }
    } finally {
      sink.stop();
    }
    table([['', 'deliveries/s', ...processes.map((process) => process.split('-').at(-1) ?? ''), 'all'], ...rows]);
    say('  processor time in ms a delivery, of all processes but clients and receiver');
  },
};

type Row = (string | number)[];

/** Deliveries that become due at the same moment. */
async function drain(bench: Bench, sink: Sink, endpoints: number): Promise<Row> {
  const gateway = await bench.apps.start('api-gateway');
  const ids = await subscribe(bench, gateway.url, sink, endpoints);
  await gateway.stop();
  const { db } = bench.stores.database;
  await bench.apps.start('webhook-dispatcher');
  const expected = await fillBacklog(db, ids, { events: Math.ceil(events / endpoints), bytes });
  await db.query('VACUUM ANALYZE');
  const before = await sink.count();
  const startedAt = Date.now();
  await db.query(`UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
  const usedBefore = usedMs(bench);
  const used = await received(bench, sink, before.count + expected);
  return finish(bench, `backlog, ${endpoints} endpoints`, { count: expected, startedAt, used, usedBefore });
}

async function createAndDeliver(bench: Bench, sink: Sink, endpoints: number): Promise<Row> {
  const [gateway] = await bench.apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
  if (!gateway) throw new Error('the gateway did not start');
  const { apiKey } = bench.apps;
  await subscribe(bench, gateway.url, sink, endpoints);
  await sleep(1_000);
  const post = (count: number) => {
    const task: PostEvents = { url: gateway.url, apiKey, bytes, connections: inFlight, count };
    return runInChild<PostedEvents>('../deliveries/post-events.ts', task);
  };
  const created = Math.ceil(events / endpoints);
  // Code is compiled, plans are made with statistics, as autovacuum has them within a minute.
  const warmUp = Math.ceil(created / 10);
  const first = await sink.count();
  await post(warmUp);
  await received(bench, sink, first.count + warmUp * endpoints);
  await bench.stores.database.db.query('ANALYZE');
  const before = await sink.count();
  const usedBefore = usedMs(bench);
  const startedAt = Date.now();
  const { seconds, statuses } = await post(created);
  const used = await received(bench, sink, before.count + created * endpoints);
  say(`  ${endpoints} endpoints: ${Math.round(created / seconds)} events created a second ${JSON.stringify(statuses)}`);
  const name = `created by POST, ${endpoints} endpoints`;
  return finish(bench, name, { count: created * endpoints, startedAt, used, usedBefore });
}

type Measured = { count: number; startedAt: number; used: Used & { newestAt: number }; usedBefore: Used };

async function finish(bench: Bench, name: string, { count, startedAt, used, usedBefore }: Measured): Promise<Row> {
  const perSecond = Math.round(count / ((used.newestAt - startedAt) / 1_000));
  const each = processes.map((process) => {
    const ms = (used.ms[process] ?? 0) - (usedBefore.ms[process] ?? 0);
    return (ms / count).toFixed(2);
  });
  const all = Object.entries(used.ms).reduce((sum, [process, ms]) => sum + ms - (usedBefore.ms[process] ?? 0), 0);
  await bench.apps.stopAll();
  await clearTables(bench);
  return [name, perSecond, ...each, (all / count).toFixed(2)];
}

async function subscribe({ apps }: Bench, url: string, sink: Sink, endpoints: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < endpoints; number += 1) {
    const body = { url: `${sink.url}/hook/${number}`, events: ['task.created'], secret: 'the secret of the bench' };
    ids.push(String((await postJson(`${url}/v1/webhooks`, apps.apiKey, body))['id']));
  }
  return ids;
}

/** Waits until the receiver has them all, and gives the processor time that was used until then. */
async function received(bench: Bench, sink: Sink, expected: number): Promise<Measured['used']> {
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(100)) {
    const { count, newestAt } = await sink.count();
    // What follows the last response, its record, belongs to the delivery.
    if (count >= expected) return sleep(500, { newestAt, ...usedMs(bench) });
  }
  throw new Error(`the receiver has ${(await sink.count()).count} of ${expected} deliveries after ${patienceMs} ms`);
}

/** Processor time of each process since it started. */
type Used = { ms: Record<string, number> };

function usedMs({ apps, stores }: Bench): Used {
  const pids = [...apps.running().map(({ name, pid }) => [name, pid] as const), ...Object.entries(stores.pids)];
  return { ms: Object.fromEntries(pids.map(([name, pid]) => [name, treeProcessorMs(pid)])) };
}
