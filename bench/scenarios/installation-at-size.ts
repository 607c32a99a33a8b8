import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@eas/db';
import { createLogger } from '@eas/runtime';
import { clearTables } from '../harness/backlog.ts';
import { workerApps } from '../harness/apps.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { formatNumber, say, table } from '../harness/report.ts';
import { fillInstallation } from '../size/fill-installation.ts';
import { mostOfFlat } from '../size/flat-costs.ts';
import { openStatementCounter, type StatementCost, type StatementCounter } from '../size/statement-costs.ts';
import { walkReads } from '../size/walk-reads.ts';
import { workCycles } from '../size/work-cycles.ts';

const [few = 0, many = 0] = (process.env['BENCH_SIZES'] ?? '100000,10000000').split(',').map(Number);
/** A folder for the texts of statements that read more than they may. */
const planFolder = process.env['BENCH_PLANS'];
const tenants = 200;
/** What pages by offset and totals may read: by the API's rules 10,000 rows, each a look-up in up to two tables. */
const maxOfList = 10 * 10_000;

export const scenario: Scenario = {
  name: 'installation-at-size',
  about: `pages that every statement reads, next to ${formatNumber(few)} and ${formatNumber(many)} tasks of ${tenants} tenants`,
  async run(bench) {
    const counter = await openStatementCounter(bench.stores);
    const small = await measure(bench, counter, few);
    await clearTables(bench);
    const large = await measure(bench, counter, many);
    const isDeepFine = large.deepest <= maxOfList;
    say(
      `  pages by offset read ${formatNumber(large.deepest)} pages at most; they may read ${formatNumber(maxOfList)}`,
    );
    if (report(small.costs, large.costs) > 0 || !isDeepFine) process.exitCode = 1;
    await clearTables(bench);
  },
};

/** `deepest`: pages that a statement reads for a page by offset, at most. */
type Measured = { costs: StatementCost[]; deepest: number };

async function measure({ stores, apps }: Bench, counter: StatementCounter, tasks: number): Promise<Measured> {
  const { db } = stores.database;
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0);
  await fill(stores.databaseUrl, tasks);
  const [{ size = '' } = {}] = await db.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  say(`  ${formatNumber(tasks)} tasks: filled in ${seconds()} s, ${size}`);
  await counter.begin();
  await apps.startAll(workerApps);
  const { url } = await apps.start('api-gateway');
  const api = { url, apiKey: apps.apiKey };
  await workCycles(api);
  const walked = await walkReads(api, 'first');
  say(`  responses: ${[...walked].map(([status, count]) => `${count} × ${status}`).join(', ')}, after ${seconds()} s`);
  const costs = await counter.costs();
  await counter.begin();
  await walkReads(api, 'deep');
  const deepest = Math.max(...(await counter.costs()).map(({ pages }) => pages));
  await apps.stopAll();
  return { costs, deepest };
}

/** With statements that may take long, as no statement of the service may. */
async function fill(url: string, tasks: number): Promise<void> {
  const logger = createLogger({ name: 'bench', level: 'error' });
  const database = await openDatabase({ url, poolSize: 3, statementMs: 3_600_000, applicationName: 'bench', logger });
  try {
    const [tenant] = await database.db.query<{ id: string }>(`SELECT id FROM tenants WHERE slug = 'default'`);
    if (!tenant) throw new Error('there is no default tenant');
    await fillInstallation(database, { tasks, tenants, largest: tenant.id });
  } finally {
    await database.close();
  }
}

const mostOf = ({ text, pages }: StatementCost): number =>
  text.includes(' AS total FROM ') ? maxOfList : mostOfFlat(pages);

/** Gives how many statements read more than they may. */
function report(small: readonly StatementCost[], large: readonly StatementCost[]): number {
  const before = new Map(small.map((cost) => [cost.text, cost]));
  const both = large.flatMap((cost) => {
    const first = before.get(cost.text);
    return first ? [{ first, cost }] : [];
  });
  const above = both
    .filter(({ first, cost }) => cost.pages > mostOf(first))
    .sort((a, b) => b.cost.pages - a.cost.pages);
  const texts = above.map(
    ({ first, cost }) => `${cost.calls} calls, ${first.pages} to ${cost.pages} pages\n${cost.text}\n`,
  );
  if (planFolder) writeFileSync(join(planFolder, 'installation-at-size.sql'), texts.join('\n'));
  const cells = above.map(({ first, cost }) => [
    cost.text.replaceAll(/\s+/g, ' ').trim().slice(0, 110),
    cost.calls,
    first.pages.toFixed(0),
    cost.pages.toFixed(0),
    first.ms.toFixed(2),
    cost.ms.toFixed(2),
  ]);
  table([['statement', 'calls', 'pages few', 'pages many', 'ms few', 'ms many'], ...cells]);
  say(`  ${both.length - above.length} statements read no more than they may, ${above.length} more`);
  const alone = large.length - both.length;
  if (alone > 0) say(`  ${alone} were run next to ${formatNumber(many)} tasks only`);
  return above.length;
}
