import { setTimeout as sleep } from 'node:timers/promises';
import { type Kill, killDispatcher } from '../../deliveries/kill-dispatcher.ts';
import { postEvents, taskCreation } from '../../deliveries/publish.ts';
import { type Sink, startSink } from '../../deliveries/start-sink.ts';
import { subscribe } from '../../deliveries/subscribe.ts';
import { workerApps } from '../../harness/apps.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { say, table } from '../../harness/report.ts';

const endpoints = 2;
const events = Math.ceil(Number(process.env['BENCH_EVENTS'] ?? 10_000) / endpoints);
const kills = Number(process.env['BENCH_KILLS'] ?? 4);
/** So that requests are on their way at any moment. */
const delayMs = 20;
/** A claim of a killed process is over after 30 s. */
const patienceMs = 300_000;

export const scenario: Scenario = {
  name: 'delivery-kills',
  about: `${events * endpoints} deliveries of events created by POST: without a kill, and with ${kills} kill -9 of the dispatcher`,
  async run(bench) {
    const results = [await deliver(bench, 0), await deliver(bench, kills)];
    table([
      ['kills', 'deliveries', 'lost', 'received twice', 'not in flight', 'in flight at the kills', 'seconds'],
      ...results.map(({ cells }) => cells),
    ]);
    say('  not in flight: received more often than a kill while it was in flight explains');
    if (results.some(({ isBroken }) => isBroken)) {
      say('  FAILED');
      process.exitCode = 1;
    }
  },
};

async function deliver(bench: Bench, count: number) {
  const { apps, stores } = bench;
  const sink = await startSink({ delayMs, keeps: 'ids' });
  try {
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const paths = new Map<string, string>();
    for (let number = 0; number < endpoints; number += 1)
      paths.set(await subscribe(gateway.url, apps.apiKey, `${sink.url}/${number}`), `/${number}`);
    await sleep(1_000);
    const startedAt = performance.now();
    const creation = taskCreation(gateway.url, apps.apiKey, 512);
    const posted = postEvents({ ...creation, connections: 32, count: events });
    const killed = await killDispatcher(bench, count);
    const { statuses } = await posted;
    await settle(bench, (statuses['201'] ?? 0) * endpoints);
    const seconds = (performance.now() - startedAt) / 1_000;
    const keyOf = (id: string) => id.replace(/^\S+/, (endpointId) => paths.get(endpointId) ?? '');
    const created = await stores.database.db.query<{ id: string }>(createdSql);
    const tally = await countReceived(
      sink,
      created.map(({ id }) => keyOf(id)),
      killed.map(inFlightAs(keyOf)),
    );
    const lost = (statuses['201'] ?? 0) * endpoints - created.length + tally.lost;
    const inFlight = killed.map((kill) => kill.inFlight.length).join(' + ');
    return {
      cells: [count, created.length, lost, tally.twice, tally.unexplained, inFlight, seconds.toFixed(1)],
      isBroken: lost > 0 || tally.unexplained > 0,
    };
  } finally {
    sink.stop();
    await apps.stopAll();
    await clearTables(bench);
  }
}

const createdSql = `SELECT endpoint_id || ' ' || event_id AS id FROM deliveries`;
const inFlightAs = (keyOf: (id: string) => string) => (kill: Kill) => new Set(kill.inFlight.map(keyOf));

/** `unexplained`: requests of a delivery beyond one, and one for each kill during which it was in flight. */
async function countReceived(sink: Sink, created: readonly string[], inFlight: readonly Set<string>[]) {
  const received = await sink.ids();
  const tally = { lost: created.filter((key) => !received.has(key)).length, twice: 0, unexplained: 0 };
  for (const [key, times] of received) {
    const explained = inFlight.filter((keys) => keys.has(key)).length;
    tally.twice += times - 1;
    tally.unexplained += Math.max(0, times - 1 - explained);
  }
  return tally;
}

const openSql = `
  SELECT count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status = 'dead')::int AS dead
  FROM deliveries`;

async function settle({ stores: { database } }: Bench, expected: number): Promise<void> {
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(250)) {
    const [row] = await database.db.query<{ delivered: number; dead: number }>(openSql);
    if ((row?.delivered ?? 0) + (row?.dead ?? 0) >= expected) return sleep(500);
  }
}
