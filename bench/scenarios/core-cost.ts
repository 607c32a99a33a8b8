import { runAgentLoad } from '../harness/agent-load.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { treeProcessorMs } from '../harness/memory.ts';
import { formatNumber, say, table } from '../harness/report.ts';
import { expectClean } from '../harness/rounds.ts';
import { rowsOf, writesOf, type Written } from '../harness/write-costs.ts';
import { startOwnRuns } from '../runs/own-runs.ts';

const agentCount = 10;
const role = 'cost';

/** What each costs by the last measurement: more than a tenth above it fails. */
const known = {
  cycle: { rows: 28.6, indexInsertions: 57.6, walBytes: 15_800 },
  'run of four steps': { rows: 150, indexInsertions: 313, walBytes: 86_300 },
};
type Unit = keyof typeof known;
const tolerance = 1.1;

export const scenario: Scenario = {
  name: 'core-cost',
  about: `rows, index entries and WAL written for a task (create → claim → complete) and for a run of four steps, ${agentCount} at a time, all apps live`,
  async run(bench) {
    if (bench.stores.backend !== 'redis')
      throw new Error('core-cost counts what the core writes: it needs queues on Redis, which write nothing there');
    const failed = [await measureCycles(bench), await measureRuns(bench)].flat();
    for (const problem of failed) say(`  ${problem}`);
    if (failed.length > 0) throw new Error('a unit of work costs more than it did');
  },
};

async function measureCycles(bench: Bench): Promise<string[]> {
  const { apps, stores, options } = bench;
  const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
  if (!gateway) throw new Error('the gateway did not start');
  const agents = await makeAgents(gateway.url, apps.apiKey, role, agentCount);
  const load = async (seconds: number) => {
    const work = { kind: 'cycles' as const, seconds };
    const result = await runAgentLoad({ url: gateway.url, apiKey: apps.apiKey, role, agents, work });
    expectClean('cycles', result);
    await drainBacklog(bench, 300);
    return { units: result.completed };
  };
  await load(3);
  await stores.database.db.query('ANALYZE');
  const problems = await measure(bench, 'cycle', () => load(options.roundSeconds));
  await apps.stopAll();
  await clearTables(bench);
  return problems;
}

async function measureRuns(bench: Bench): Promise<string[]> {
  const own = await startOwnRuns(bench, agentCount);
  try {
    const load = async (seconds: number) => {
      const { runs, processorMs } = await own.run({ inFlight: agentCount, warmUpSeconds: 0, seconds });
      await drainBacklog(bench, 300);
      return { units: runs, agentsMs: processorMs };
    };
    await load(3);
    await bench.stores.database.db.query('ANALYZE');
    const problems = await measure(bench, 'run of four steps', () => load(bench.options.roundSeconds));
    await own.check();
    return problems;
  } finally {
    await own.close();
  }
}

/** `agentsMs`: processor time of the process whose agents call use cases without a gateway. */
type Worked = { units: number; agentsMs?: number };

/** Without autovacuum, which comes when it likes. */
async function measure(bench: Bench, unit: Unit, work: () => Promise<Worked>): Promise<string[]> {
  const { db } = bench.stores.database;
  let worked: Worked = { units: 0 };
  const processes = bench.apps.running().map(({ name, pid }) => [name, pid] as const);
  const servers = Object.entries(bench.stores.pids);
  const used = () => [...processes, ...servers].map(([, pid]) => treeProcessorMs(pid));
  await db.query('ALTER SYSTEM SET autovacuum = off');
  await db.query('SELECT pg_reload_conf()');
  let spentMs: number[] = [];
  const written = await writesOf(db, async () => {
    const before = used();
    worked = await work();
    spentMs = used().map((ms, index) => ms - (before[index] ?? 0));
  });
  await db.query('ALTER SYSTEM RESET autovacuum');
  await db.query('SELECT pg_reload_conf()');
  const { units, agentsMs = 0 } = worked;
  sayCosts(unit, units, written);
  const spent = [...processes, ...servers].map(([name], index) => [name, spentMs[index] ?? 0] as const);
  const times = [...spent, ['agents', agentsMs] as const].map(([name, ms]) => `${name} ${formatNumber(ms / units)}`);
  say(`  processor ms a ${unit}: ${times.join(', ')}`);
  return problemsOf(unit, units, written);
}

function sayCosts(unit: Unit, units: number, written: Written): void {
  const { inserted, updated, deleted, hot, indexInsertions, walBytes, tables } = written;
  say(`  ${formatNumber(units)} times a ${unit}; for each:`);
  table([
    ['rows', 'inserted', 'updated', 'of these HOT', 'deleted', 'index entries', 'WAL bytes'],
    [rowsOf(written), inserted, updated, hot, deleted, indexInsertions, walBytes].map((value) => value / units),
  ]);
  table([
    ['table', 'inserted', 'updated', 'of these HOT', 'deleted'],
    ...tables
      .filter((one) => rowsOf(one) >= units / 20)
      .map((one) => [one.table, ...[one.inserted, one.updated, one.hot, one.deleted].map((value) => value / units)]),
  ]);
}

function problemsOf(unit: Unit, units: number, written: Written): string[] {
  const { indexInsertions, walBytes } = written;
  const found = { rows: rowsOf(written), indexInsertions, walBytes };
  return Object.entries(known[unit]).flatMap(([name, limit]) => {
    const value = found[name as keyof typeof found] / units;
    return value > limit * tolerance
      ? [`a ${unit} costs ${formatNumber(value)} ${name}, more than a tenth above ${formatNumber(limit)}`]
      : [];
  });
}
