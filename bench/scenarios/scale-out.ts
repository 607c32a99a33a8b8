import { type AppName, workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { type Load, runLoad } from '../harness/load.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { say, table } from '../harness/report.ts';
import { benchTask } from '../harness/work-task.ts';
import { createPlatformIntegration, taskUpdated } from '../inbound/platform-integration.ts';

const counts = [1, 2, 3, 4];
const backlogSeconds = 5;

export const scenario: Scenario = {
  name: 'scale-out',
  about: `from ${counts[0]} to ${counts.at(-1)} processes of each app: creating, receiving, and working off a backlog`,
  async run(bench) {
    const integration = await createPlatformIntegration(bench.apps);
    const change = { id: '{{number}}', taskId: 'bench{{number}}', date: Date.now() };
    const rows = [
      ...(await serving(bench, 'api-gateway', {
        path: '/v1/tasks',
        headers: { 'x-api-key': bench.apps.apiKey },
        body: { kind: 'plain', text: JSON.stringify(benchTask('rd')) },
      })),
      ...(await serving(bench, 'webhook-receiver', {
        path: '/webhook/taskplatform',
        headers: {},
        body: { kind: 'platform', template: taskUpdated(integration, change), secret: integration.secret },
      })),
    ];
    for (const name of workerApps) rows.push(...(await working(bench, name)));
    table([['app', 'processes', 'a second', '% of a core, all of them', '% of a core, Postgres'], ...rows]);
    say('  a second: requests, or rows of the outbox that are gone. Two cores have 200 %, with the clients on them.');
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
    rows.push([name, count, Math.round(perSecond), app, database]);
    await apps.stopAll();
  }
  await clearTables(bench);
  return rows;
}

/** So many processes of one app, one of each other, on what was created while none ran. */
async function working(bench: Bench, name: (typeof workerApps)[number]): Promise<Row[]> {
  const { apps, options } = bench;
  const rows: Row[] = [];
  for (const count of counts) {
    const gateway = await apps.start('api-gateway');
    await runLoad({
      url: `${gateway.url}/v1/tasks`,
      headers: { 'x-api-key': apps.apiKey },
      body: { kind: 'plain', text: JSON.stringify(benchTask('rd')) },
      connections: options.connections,
      seconds: backlogSeconds,
    });
    await gateway.stop();
    const before = await owedRows(bench);
    await apps.startAll(workerApps.filter((one) => one !== name));
    await apps.startAll(Array.from({ length: count }, () => name));
    const left = await owedRows(bench);
    const [{ seconds }, app, database] = await usedWhile(bench, name, () => drainBacklog(bench, 300));
    rows.push([`${name} (${before - left} gone while they started)`, count, Math.round(left / seconds), app, database]);
    await apps.stopAll();
    await clearTables(bench);
  }
  return rows;
}

async function owedRows({ stores }: Bench): Promise<number> {
  const [row] = await stores.database.db.query<{ owed: number }>('SELECT count(*)::int AS owed FROM outbox');
  return row?.owed ?? 0;
}
