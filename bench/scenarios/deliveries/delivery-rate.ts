import { setTimeout as sleep } from 'node:timers/promises';
import type { BareLoop, BareResult } from '../../deliveries/bare-loop.ts';
import { countStatements } from '../../deliveries/count-statements.ts';
import { fillBacklog } from '../../deliveries/fill-backlog.ts';
import { postEvents, taskCreation } from '../../deliveries/publish.ts';
import { receivedBy, type Sink, startSink } from '../../deliveries/start-sink.ts';
import { subscribe } from '../../deliveries/subscribe.ts';
import { workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { runInChild } from '../../harness/child-task.ts';
import { treeProcessorMs } from '../../harness/memory.ts';
import { say, table } from '../../harness/report.ts';
import { expectClean, failuresIn } from '../../harness/rounds.ts';
import { readWebhookPeer, type WebhookPeer } from '../../peers/webhook-peer.ts';

const events = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const inFlight = 64;
const bytes = 512;
const peer = readWebhookPeer(process.env['BENCH_PEER']);
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
      for (const endpoints of [1, 10])
        for (const flow of [drain, createAndDeliver]) {
          const row = await flow(bench, sink, { endpoints, count: events });
          bench.record({
            name: String(row[0]),
            rate: Number(row[1]),
            against: { name: 'POSTs of the bare HTTP client', rate: perSecond },
          });
          rows.push([...row, await statementsOf(bench, sink, { flow, endpoints })]);
          if (peer && flow === createAndDeliver) rows.push(await peerRow(peer, sink, { endpoints, own: row[1] }));
        }
    } finally {
      sink.stop();
    }
    const head = ['', 'deliveries/s', ...processes.map((process) => process.split('-').at(-1) ?? ''), 'all'];
    table([[...head, 'SQL per 10'], ...rows]);
    say('  processor time in ms a delivery, of all processes but clients and receiver');
    say(
      '  SQL per 10: statements of the dispatcher for 10 deliveries, in a shorter run of their own, by their number above',
    );
  },
};

/** The same load for another product, whose processor time is not known here. */
async function peerRow(
  { name, open }: WebhookPeer,
  sink: Sink,
  { endpoints, own }: { endpoints: number; own: unknown },
) {
  const publish = await open(
    Array.from({ length: endpoints }, (_, number) => `${sink.url}/${name}/${number}`),
    bytes,
  );
  const deliver = async (count: number) => {
    const { count: before } = await sink.count();
    const startedAt = Date.now();
    const { seconds, statuses } = await postEvents({ ...publish, connections: inFlight, count });
    expectClean(name, { errors: failuresIn(statuses) });
    const { newestAt } = await receivedBy(sink, before + count * endpoints);
    return { seconds, statuses, perSecond: (count * endpoints) / ((newestAt - startedAt) / 1_000) };
  };
  const count = Math.ceil(events / endpoints);
  await deliver(Math.ceil(count / 10));
  const { seconds, statuses, perSecond } = await deliver(count);
  say(
    `  ${name}, ${endpoints} endpoints: ${Math.round(count / seconds)} events created a second ${JSON.stringify(statuses)}`,
  );
  say(`  ${endpoints} endpoints: ours is ${(Number(own) / perSecond).toFixed(2)} of ${name}`);
  return [
    `${name}, created by POST, ${endpoints} endpoints`,
    Math.round(perSecond),
    ...processes.map(() => ''),
    '',
    '',
  ];
}

/** `settings`: of the dispatcher. `before` and `after` what is measured. */
type FlowOptions = {
  endpoints: number;
  count: number;
  settings?: Record<string, string>;
  before?: () => void;
  after?: () => void;
};
type Flow = (bench: Bench, sink: Sink, options: FlowOptions) => Promise<Row>;

/** Runs a flow with a dispatcher whose statements are counted on their way, which takes time of its own. */
async function statementsOf(bench: Bench, sink: Sink, { flow, endpoints }: { flow: Flow; endpoints: number }) {
  const count = Math.ceil(events / 4);
  const counter = await countStatements(bench.stores.databaseUrl);
  let counts: [string, number][] = [];
  const settings = { DATABASE_URL: counter.url };
  const after = () => void (counts = [...counter.counts].sort(([, a], [, b]) => b - a));
  await flow(bench, sink, { endpoints, count, settings, before: counter.reset, after });
  counter.close();
  const per10 = (number: number) => ((number * 10) / count).toFixed(2);
  for (const [text, number] of counts.slice(0, 12))
    say(`    ${per10(number)} ${text.replace(/\s+/g, ' ').trim().slice(0, 90)}`);
  return per10(counts.reduce((sum, [, number]) => sum + number, 0));
}

type Row = (string | number)[];

/** Deliveries that become due at the same moment. */
async function drain(bench: Bench, sink: Sink, options: FlowOptions): Promise<Row> {
  const { endpoints, count, settings, before: begin, after } = options;
  const gateway = await bench.apps.start('api-gateway');
  const ids = await subscribeAll(bench, gateway.url, sink, endpoints);
  await gateway.stop();
  const { db } = bench.stores.database;
  await bench.apps.start('webhook-dispatcher', settings);
  const expected = await fillBacklog(db, ids, { events: Math.ceil(count / endpoints), bytes });
  await db.query('VACUUM ANALYZE');
  const before = await sink.count();
  begin?.();
  const startedAt = Date.now();
  await db.query(`UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
  const usedBefore = usedMs(bench);
  const used = await received(bench, sink, before.count + expected);
  after?.();
  return finish(bench, `backlog, ${endpoints} endpoints`, { count: expected, startedAt, used, usedBefore });
}

async function createAndDeliver(bench: Bench, sink: Sink, options: FlowOptions): Promise<Row> {
  const { endpoints, count: deliveries, settings, before: begin, after } = options;
  await bench.apps.start('webhook-dispatcher', settings);
  const others = workerApps.filter((name) => name !== 'webhook-dispatcher');
  const [gateway] = await bench.apps.startAll(['api-gateway', 'webhook-receiver', ...others]);
  if (!gateway) throw new Error('the gateway did not start');
  await subscribeAll(bench, gateway.url, sink, endpoints);
  await sleep(1_000);
  const creation = taskCreation(gateway.url, bench.apps.apiKey, bytes);
  const post = (count: number) => postEvents({ ...creation, connections: inFlight, count });
  const created = Math.ceil(deliveries / endpoints);
  // Code is compiled, plans are made with statistics, as autovacuum has them within a minute.
  const warmUp = Math.ceil(created / 10);
  const first = await sink.count();
  await post(warmUp);
  await received(bench, sink, first.count + warmUp * endpoints);
  await bench.stores.database.db.query('ANALYZE');
  const before = await sink.count();
  begin?.();
  const usedBefore = usedMs(bench);
  const startedAt = Date.now();
  const { seconds, statuses } = await post(created);
  expectClean(`${endpoints} endpoints`, { errors: failuresIn(statuses) });
  const used = await received(bench, sink, before.count + created * endpoints);
  after?.();
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

async function subscribeAll({ apps }: Bench, url: string, sink: Sink, endpoints: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < endpoints; number += 1)
    ids.push(await subscribe(url, apps.apiKey, `${sink.url}/hook/${number}`));
  return ids;
}

/** Waits until the receiver has them all, and gives the processor time that was used until then. */
async function received(bench: Bench, sink: Sink, expected: number): Promise<Measured['used']> {
  const { newestAt } = await receivedBy(sink, expected);
  // What follows the last response, its record, belongs to the delivery.
  return sleep(500).then(() => ({ newestAt, ...usedMs(bench) }));
}

/** Processor time of each process since it started. */
type Used = { ms: Record<string, number> };

function usedMs({ apps, stores }: Bench): Used {
  const pids = [...apps.running().map(({ name, pid }) => [name, pid] as const), ...Object.entries(stores.pids)];
  return { ms: Object.fromEntries(pids.map(([name, pid]) => [name, treeProcessorMs(pid)])) };
}
