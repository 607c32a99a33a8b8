import { countStatements } from '../deliveries/count-statements.ts';
import { explainWork } from '../deliveries/explained-work.ts';
import type { RunningApp } from '../harness/apps.ts';
import { clearTables } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { appAndStoresMs } from '../harness/memory.ts';
import { formatNumber, say, table } from '../harness/report.ts';
import { applyBatch, fillReceipts } from '../inbound/applied-batch.ts';
import { createPlatformIntegration, type PlatformIntegration } from '../inbound/platform-integration.ts';
import { countReceived, waitUntilApplied } from '../inbound/received.ts';
import { type SendChanges, sendChanges } from '../inbound/send-changes.ts';
import { contextOn } from '../runs/use-cases.ts';
import { mostOfFlat } from '../size/flat-costs.ts';

const count = Number(process.env['BENCH_EVENTS'] ?? 20_000);
const sizes = [1_000, 100_000];

export const scenario: Scenario = {
  name: 'inbound-rate',
  about: `${count} received webhooks applied from a backlog: new tasks, then changes of known ones`,
  async run(bench) {
    const integration = await createPlatformIntegration(bench.apps);
    const measured = await drain(bench, integration, { run: 'rate', count, databaseUrl: bench.stores.databaseUrl });
    const counter = await countStatements(bench.stores.databaseUrl);
    const few = Math.ceil(count / 10);
    const counted = await drain(bench, integration, { run: 'counted', count: few, databaseUrl: counter.url }, counter);
    counter.close();
    table([
      ['', 'receipts/s', 'ms orchestrator', 'ms postgres', 'ms redis', 'SQL per 10'],
      ...measured.map((row, index) => [...row.cells, ((counted[index]?.statements ?? 0) * 10) / few]),
    ]);
    say('  ms: processor time for a receipt');
    await clearTables(bench);
    await explainBatches(bench);
    await clearTables(bench);
  },
};

type Drain = { run: string; count: number; databaseUrl: string };
type Counter = { counts: ReadonlyMap<string, number>; reset(): void };
type Drained = { cells: (string | number)[]; statements: number };

/** Fills a backlog while the orchestrator is stopped, and lets it go on: new tasks, and then the same ones. */
async function drain(
  bench: Bench,
  integration: PlatformIntegration,
  { run, count, databaseUrl }: Drain,
  counter?: Counter,
): Promise<Drained[]> {
  const { apps } = bench;
  const orchestrator = await apps.start('workflow-orchestrator', { DATABASE_URL: databaseUrl });
  const receiver = await apps.start('webhook-receiver');
  const load = { url: receiver.url, integration, connections: 64 };
  const at = Date.now();
  await sendChanges({ ...load, run: `${run}warm`, at, count: 2_000 });
  await waitUntilApplied(bench);
  const changes = { ...load, run, count };
  const rows: Drained[] = [];
  for (const [name, date] of [['new tasks', at] as const, ['known tasks', at + 1_000] as const])
    rows.push(await drainOnce(bench, orchestrator, { name, changes: { ...changes, at: date }, counter }));
  await apps.stopAll();
  return rows;
}

type Once = { name: string; changes: SendChanges; counter: Counter | undefined };

async function drainOnce(bench: Bench, orchestrator: RunningApp, { name, changes, counter }: Once): Promise<Drained> {
  const { run, count } = changes;
  const since = new Date();
  process.kill(orchestrator.pid, 'SIGSTOP');
  await sendChanges(changes);
  await bench.stores.database.db.query('VACUUM ANALYZE');
  counter?.reset();
  const before = appAndStoresMs(bench, orchestrator);
  process.kill(orchestrator.pid, 'SIGCONT');
  await waitUntilApplied(bench);
  const used = appAndStoresMs(bench, orchestrator).map((ms, index) => (ms - (before[index] ?? 0)) / count);
  const statements = [...(counter?.counts.values() ?? [])].reduce((sum, number) => sum + number, 0);
  sayStatements(name, count, counter);
  return { cells: [name, await appliedPerSecond(bench, run, since), ...used], statements };
}

function sayStatements(name: string, count: number, counter: Counter | undefined): void {
  const counts = [...(counter?.counts ?? [])].sort(([, a], [, b]) => b - a);
  for (const [text, number] of counts.slice(0, 8))
    say(`    ${name}: ${((number * 10) / count).toFixed(2)} ${text.replace(/\s+/g, ' ').trim().slice(0, 90)}`);
}

const rateSql = `
  SELECT count(*) / nullif(extract(epoch FROM max(settled_at) - min(settled_at))::float8, 0) AS rate FROM inbound_events
  WHERE starts_with(external_id, $1) AND received_at >= $2 AND status = 'applied'`;

async function appliedPerSecond(bench: Bench, run: string, since: Date): Promise<number> {
  const { receipts, applied } = await countReceived(bench, `${run}-`, since);
  if (applied < receipts) throw new Error(`${receipts - applied} of ${receipts} receipts were not applied`);
  const [row] = await bench.stores.database.db.query<{ rate: number | null }>(rateSql, [`${run}-`, since]);
  return Math.round(row?.rate ?? NaN);
}

/** What a batch reads next to this number of waiting receipts, and the same number of applied ones. */
async function explainBatches({ stores: { database } }: Bench): Promise<void> {
  const ctx = contextOn(database);
  const read = new Map<string, number[]>();
  for (const [index, size] of sizes.entries()) {
    await fillReceipts(database, { from: sizes[index - 1] ?? 0, size });
    await database.db.query('VACUUM ANALYZE');
    for (const planning of ['custom', 'generic'] as const)
      for (const { text, rows } of await explainWork({ database, ctx, planning }, applyBatch)) {
        const most = read.get(text) ?? sizes.map(() => 0);
        most[index] = Math.max(most[index] ?? 0, rows);
        read.set(text, most);
      }
  }
  const head = ['statement of a batch of 100', ...sizes.map((size) => `rows ${formatNumber(size)}`), ''];
  table([head, ...[...read].map(([text, rows]) => cellsOf(text, rows))]);
}

function cellsOf(text: string, rows: readonly number[]) {
  const [least = 0, most = 0] = rows;
  const isTooMuch = most > mostOfFlat(least);
  if (isTooMuch) process.exitCode = 1;
  return [text.replace(/\s+/g, ' ').trim().slice(0, 70), ...rows, isTooMuch ? 'FAILED' : 'ok'];
}
