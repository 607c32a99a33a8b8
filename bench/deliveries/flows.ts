import { setTimeout as sleep } from 'node:timers/promises';
import { workerApps } from '../harness/apps.ts';
import { clearTables } from '../harness/backlog.ts';
import type { Bench } from '../harness/bench.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { say } from '../harness/report.ts';
import { expectClean, failuresIn } from '../harness/rounds.ts';
import { fillBacklog } from './fill-backlog.ts';
import { postEvents, taskCreation } from './publish.ts';
import { receivedBy, type Sink } from './start-sink.ts';
import { subscribe } from './subscribe.ts';

/** Size of an event's text. */
export const bytes = 512;
/** POSTs at a time. */
export const inFlight = 64;

/** `usedMs`: processor time of a delivery by process, of all that run. */
export type FlowResult = { perSecond: number; usedMs: Record<string, number> };

/** `settings`: of the dispatcher. `before` and `after` what is measured. */
export type FlowOptions = {
  endpoints: number;
  count: number;
  settings?: Record<string, string>;
  before?: () => void;
  after?: () => void;
};
export type Flow = (bench: Bench, sink: Sink, options: FlowOptions) => Promise<FlowResult>;

/** Deliveries that become due at the same moment. */
export async function drain(bench: Bench, sink: Sink, options: FlowOptions): Promise<FlowResult> {
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
  return finish(bench, { count: expected, startedAt, used, usedBefore });
}

/** Deliveries of tasks that are created by POST. */
export async function createAndDeliver(bench: Bench, sink: Sink, options: FlowOptions): Promise<FlowResult> {
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
  say(`  ours, endpoints: ${endpoints}, events created a second: ${Math.round(created / seconds)}`);
  return finish(bench, { count: created * endpoints, startedAt, used, usedBefore });
}

type Measured = { count: number; startedAt: number; used: Used & { newestAt: number }; usedBefore: Used };

async function finish(bench: Bench, { count, startedAt, used, usedBefore }: Measured): Promise<FlowResult> {
  const each = Object.entries(used.ms).map(([name, ms]) => [name, (ms - (usedBefore.ms[name] ?? 0)) / count]);
  await bench.apps.stopAll();
  await clearTables(bench);
  const perSecond = count / ((used.newestAt - startedAt) / 1_000);
  return { perSecond, usedMs: Object.fromEntries(each) as Record<string, number> };
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
