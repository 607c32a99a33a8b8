import { postEvents, taskCreation } from '../deliveries/publish.ts';
import { receivedBy, type Sink, startSink } from '../deliveries/start-sink.ts';
import { subscribe } from '../deliveries/subscribe.ts';
import { type AppName, workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog, othersAreDone } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { type Load, runLoad } from '../harness/load.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { say, table } from '../harness/report.ts';
import { benchTask } from '../harness/work-task.ts';
import { createPlatformIntegration, taskUpdated } from '../inbound/platform-integration.ts';

const counts = [1, 2, 3, 4];
const events = 40_000;
const bytes = 512;
const patienceSeconds = 300;

export const scenario: Scenario = {
  name: 'scale-out',
  about: `from ${counts[0]} to ${counts.at(-1)} processes of each app: creating, receiving, and working off a backlog`,
  async run(bench) {
    const rows = await serving(bench, 'api-gateway', {
      path: '/v1/tasks',
      headers: { 'x-api-key': bench.apps.apiKey },
      body: { kind: 'plain', text: JSON.stringify(benchTask('rd')) },
    });
    const integration = await createPlatformIntegration(bench.apps);
    const change = { id: '{{number}}', taskId: 'bench{{number}}', date: Date.now() };
    const received = await serving(bench, 'webhook-receiver', {
      path: '/webhook/taskplatform',
      headers: {},
      body: { kind: 'platform', template: taskUpdated(integration, change), secret: integration.secret },
    });
    rows.push(...received);
    const sink = await startSink();
    for (const name of workerApps) rows.push(...(await working(bench, name, sink)));
    sink.stop();
    table([['app', 'processes', 'a second', '% of a core, all of them', '% of a core, Postgres'], ...rows]);
    say('  a second: requests, or events of a backlog; the dispatcher delivers each to one receiver.');
    say('  Two cores have 200 %, with clients, receiver and stores on them.');
  },
};

type Row = (string | number)[];
type Requests = Pick<Load, 'headers' | 'body'> & { path: string };

/** Shares of a core while something runs. */
async function usedWhile<T>(bench: Bench, name: AppName, run: () => Promise<T>): Promise<[T, number, number]> {
  const processes = bench.apps.running().filter((app) => app.name === name);
  const postgres = bench.stores.pids['postgres'] ?? 0;
  const used = () => [processes.reduce((sum, { pid }) => sum + treeProcessorMs(pid), 0), treeProcessorMs(postgres)];
  const [before, startedAt] = [used(), performance.now()];
  const result = await run();
  const tookMs = performance.now() - startedAt;
  const [app = 0, database = 0] = used().map((ms, index) => Math.round(((ms - (before[index] ?? 0)) * 100) / tookMs));
  return [result, app, database];
}

async function serving(bench: Bench, name: AppName, { path, headers, body }: Requests): Promise<Row[]> {
  const { apps, options } = bench;
  const rows: Row[] = [];
  for (const count of counts) {
    const started = await apps.startAll(Array.from({ length: count }, () => name));
    const connections = Math.ceil(options.connections / count);
    const load = (seconds: number) =>
      Promise.all(started.map(({ url }) => runLoad({ url: `${url}${path}`, headers, body, connections, seconds })));
    await load(2);
    const [results, app, database] = await usedWhile(bench, name, () => load(options.roundSeconds));
    const perSecond = results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    if (errors > 0) throw new Error(`${name}: ${errors} requests failed`);
    rows.push([name, count, Math.round(perSecond), app, database]);
    await apps.stopAll();
  }
  await clearTables(bench);
  return rows;
}

/** Several processes of one app, one of each other, on events that were created while the former was stopped. */
async function working(bench: Bench, name: (typeof workerApps)[number], sink: Sink): Promise<Row[]> {
  const { apps, options } = bench;
  const rows: Row[] = [];
  for (const count of counts) {
    const gateway = await apps.start('api-gateway');
    await apps.startAll(workerApps.filter((one) => one !== name));
    const processes = await apps.startAll(Array.from({ length: count }, () => name));
    const signal = (what: NodeJS.Signals) => processes.forEach(({ pid }) => process.kill(pid, what));
    const isDelivered = name === 'webhook-dispatcher';
    if (isDelivered) await subscribe(gateway.url, apps.apiKey, sink.url);
    await bench.stores.database.db.query('ANALYZE');
    signal('SIGSTOP');
    const creation = taskCreation(gateway.url, apps.apiKey, bytes);
    await postEvents({ ...creation, connections: options.connections, count: events });
    await gateway.stop();
    await othersAreDone(bench);
    const expected = (await sink.count()).count + (isDelivered ? events : 0);
    const [seconds, app, database] = await usedWhile(bench, name, async () => {
      signal('SIGCONT');
      const startedAt = performance.now();
      await drainBacklog(bench, patienceSeconds);
      await receivedBy(sink, expected);
      return (performance.now() - startedAt) / 1_000;
    });
    rows.push([name, count, Math.round(events / seconds), app, database]);
    await apps.stopAll();
    await clearTables(bench);
  }
  return rows;
}
