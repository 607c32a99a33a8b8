import { runAgentLoad } from '../harness/agent-load.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables, countBacklog, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { sayMemory } from '../harness/beside-limit.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { formatNumber, median, say, table } from '../harness/report.ts';
import { measureYardstick } from '../figures/yardstick.ts';

const clients = 20;
const role = 'cycles';

export const scenario: Scenario = {
  name: 'claim-cycles',
  about: `${clients} closed-loop agents: create → claim → complete, all apps live`,
  async run(bench) {
    const { apps, options } = bench;
    const yardstick = await measureYardstick(bench);
    const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const agents = await makeAgents(gateway.url, apps.apiKey, role, clients);
    const load = (seconds: number) =>
      runAgentLoad({ url: gateway.url, apiKey: apps.apiKey, role, agents, work: { kind: 'cycles', seconds } });
    await load(5);
    // As autovacuum does within the first minute: plans made of empty tables are thrown away.
    await bench.stores.database.db.query('ANALYZE');
    const rows: (string | number)[][] = [];
    const rates: number[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const before = usedMs(bench);
      const { seconds, completed, doubles, empty, errors, create, claim, complete } = await load(options.roundSeconds);
      const used = usedMs(bench).map((ms, index) => ms - (before[index] ?? 0));
      const msPerCycle = used.reduce((sum, ms) => sum + ms, 0) / completed;
      const shares = used.map((ms) => Math.round(ms / seconds / 10));
      rates.push(completed / seconds);
      const p99s = [create, claim, complete].map(({ p99Ms }) => p99Ms);
      rows.push([Math.round(completed / seconds), claim.p50Ms, ...p99s, doubles, empty, msPerCycle, shares.join(' ')]);
      if (Object.keys(errors).length > 0) say(`  errors: ${JSON.stringify(errors)}`);
    }
    const names = [...apps.running().map(({ name }) => name), ...Object.keys(bench.stores.pids)];
    table([
      [
        'cycles/s',
        'claim p50 ms',
        'create p99',
        'claim p99',
        'complete p99',
        'doubles',
        'empty claims',
        'processor ms a cycle',
        'processor %',
      ],
      ...rows,
    ]);
    say(`  processor % of one core: ${names.join(', ')} (the agents themselves not counted)`);
    say(`  median ${formatNumber(Math.round(median(rates)))} cycles/s`);
    bench.record({ name: '', rate: median(rates), against: yardstick });
    const { owed } = await countBacklog(bench);
    const { seconds, dead } = await drainBacklog(bench, 300);
    say(
      `  ${formatNumber(owed)} outbox rows after the last round, drained in ${formatNumber(seconds)} s, ${dead} dead`,
    );
    sayMemory(bench);
    await apps.stopAll();
    await clearTables(bench);
  },
};

function usedMs({ apps, stores }: Bench): number[] {
  return [...apps.running().map(({ pid }) => pid), ...Object.values(stores.pids)].map(treeProcessorMs);
}
