import { runAgentLoad } from '../harness/agent-load.ts';
import { type RunningApp, workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog, othersAreDone } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { appAndStoresMs } from '../harness/memory.ts';
import { formatNumber, say, table } from '../harness/report.ts';
import { expectClean } from '../harness/rounds.ts';

const agentCount = 50;
const role = 'counted';
const patienceSeconds = 300;

export const scenario: Scenario = {
  name: 'analytics-rate',
  about:
    'events of tasks (created, claimed, completed) that the analytics aggregator reads from a backlog of one tenant',
  async run(bench) {
    const { apps, options } = bench;
    const [gateway, ...workers] = await apps.startAll(['api-gateway', ...workerApps]);
    const aggregator = workers.find(({ name }) => name === 'analytics-aggregator');
    if (!gateway || !aggregator) throw new Error('an app did not start');
    const agents = await makeAgents(gateway.url, apps.apiKey, role, agentCount);
    const load = async (seconds: number) =>
      expectClean(
        'cycles',
        await runAgentLoad({ url: gateway.url, apiKey: apps.apiKey, role, agents, work: { kind: 'cycles', seconds } }),
      );
    await load(3);
    await drainBacklog(bench, patienceSeconds);
    const rows: (string | number)[][] = [];
    for (let round = 1; round <= options.rounds; round += 1)
      rows.push(await drainOnce(bench, aggregator, () => load(options.roundSeconds)));
    table([['events', 'events/s', 'µs aggregator', 'µs postgres', 'µs redis'], ...rows]);
    say('  µs: processor time for an event');
    await apps.stopAll();
    await clearTables(bench);
  },
};

/** Fills a backlog while the aggregator is stopped, and lets it go on. */
async function drainOnce(
  bench: Bench,
  aggregator: RunningApp,
  fill: () => Promise<void>,
): Promise<(string | number)[]> {
  process.kill(aggregator.pid, 'SIGSTOP');
  await fill();
  await othersAreDone(bench);
  await bench.stores.database.db.query('VACUUM ANALYZE');
  const count = await countUnread(bench);
  const before = appAndStoresMs(bench, aggregator);
  process.kill(aggregator.pid, 'SIGCONT');
  const { seconds, pending } = await drainBacklog(bench, patienceSeconds);
  if (pending > 0) throw new Error(`events were still not read after ${patienceSeconds} s`);
  const used = appAndStoresMs(bench, aggregator).map((ms, index) => (1_000 * (ms - (before[index] ?? 0))) / count);
  return [formatNumber(count), Math.round(count / seconds), ...used];
}

const unreadSql = `
  SELECT coalesce(sum(t.last_number - c.number), 0)::int AS unread
  FROM event_counters t JOIN event_cursors c USING (tenant_id) WHERE c.consumer = 'facts.follow'`;

async function countUnread({ stores }: Bench): Promise<number> {
  const [row] = await stores.database.db.query<{ unread: number }>(unreadSql);
  return row?.unread ?? 0;
}
