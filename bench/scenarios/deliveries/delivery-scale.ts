import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryPath, type PathStep } from '../../deliveries/delivery-path.ts';
import { explainWork, type Planning, type StatementCost } from '../../deliveries/explained-work.ts';
import { fillStates, setAutovacuum } from '../../deliveries/fill-states.ts';
import { makePathEndpoints } from '../../deliveries/path-endpoints.ts';
import { clearTables } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { formatNumber, say, table } from '../../harness/report.ts';
import { contextOn } from '../../runs/use-cases.ts';
import { flatRatio, mostOfFlat } from '../../size/flat-costs.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '1000,100000,1000000').split(',').map(Number);
/** A folder for the plans of statements that read more than they may. */
const planFolder = process.env['BENCH_PLANS'];

const [smallest = 0] = sizes;

export const scenario: Scenario = {
  name: 'delivery-scale',
  about: `rows read by each statement of the delivery path next to ${sizes.map(formatNumber).join(', ')} deliveries of each state`,
  async run(bench) {
    const { database } = bench.stores;
    const { db } = database;
    const ctx = contextOn(database);
    const endpoints = await makePathEndpoints(ctx);
    const steps = deliveryPath(endpoints);
    const measured = new Map<string, Measured>();
    await setAutovacuum(db, false);
    await db.query('VACUUM ANALYZE');
    const since = new Date(Date.now() - 10 * 24 * 3_600_000);
    let from = 0;
    for (const size of sizes) {
      await fillStates(db, endpoints, { from, size, since });
      from = size;
      // First with the planner's statistics of the size before, as until autovacuum comes.
      for (const known of ['before', 'now'] as const) {
        if (known === 'now') await db.query('ANALYZE');
        for (const planning of ['custom', 'generic'] as const)
          await measure(bench, { steps, measured, size, known, planning });
      }
      say(`  ${formatNumber(size)} of each state measured`);
    }
    await setAutovacuum(db, true);
    const failed = report([...measured.values()]);
    await clearTables(bench);
    if (failed > 0) process.exitCode = 1;
  },
};

type Conditions = { size: number; known: 'before' | 'now'; planning: Planning };
type Cost = StatementCost & Conditions;
type Measured = { step: PathStep; text: string; costs: Cost[] };

async function measure(
  { stores: { database } }: Bench,
  { steps, measured, ...conditions }: Conditions & { steps: readonly PathStep[]; measured: Map<string, Measured> },
): Promise<void> {
  const ctx = contextOn(database);
  for (const step of steps)
    for (const cost of await explainWork({ database, ctx, planning: conditions.planning }, step.run)) {
      const key = `${step.name} ${cost.text}`;
      const one = measured.get(key) ?? { step, text: cost.text, costs: [] };
      one.costs.push({ ...cost, ...conditions });
      measured.set(key, one);
    }
}

/** Gives how many statements read more than they may at a larger size. */
function report(all: readonly Measured[]): number {
  const reports = all.map(reportOf);
  const ofSizes = (what: string) => sizes.map((size) => `${what} ${formatNumber(size)}`);
  const head = ['', 'statement', ...ofSizes('rows'), 'ratio', 'pages', 'ms', ''];
  table([head, ...reports.map(({ cells }) => cells)]);
  const failed = reports.filter(({ isTooMuch }) => isTooMuch).length;
  say('  rows: the most with old and with new statistics, planned with and without the values (the least at first)');
  say(
    '  pages and ms: the least of these at the largest size, as ratios to the smallest; pages with what undone runs left',
  );
  say(`  ${all.length - failed} statements within ${flatRatio} times, ${failed} above`);
  return failed;
}

function reportOf({ step, text, costs }: Measured) {
  const at = (size: number) => costs.filter((cost) => cost.size === size);
  const worst = (size: number) => at(size).reduce((a, b) => (b.rows > a.rows ? b : a));
  const largest = sizes.slice(1).map(worst);
  // A table of few rows may be read as a whole: what the best plan reads of it counts.
  const base = Math.min(...at(smallest).map(({ rows }) => rows));
  const most = Math.max(mostOfFlat(base), step.most ?? 0);
  const above = largest.filter(({ rows }) => rows > most);
  const ratioOf = (of: (cost: Cost) => number) => {
    const least = (size: number) => Math.min(...at(size).map(of));
    return (least(sizes.at(-1) ?? smallest) / least(smallest)).toFixed(2);
  };
  const worstOne = above.at(-1);
  if (worstOne && planFolder) keepPlan(planFolder, step.name, worstOne);
  const ratio = Math.max(...largest.map(({ rows }) => rows)) / Math.max(base, 1);
  const verdict = worstOne ? `FAILED: statistics ${worstOne.known}, ${worstOne.planning} plan` : 'ok';
  const rows = [base, ...largest.map((cost) => cost.rows)];
  const cells = [step.name, nameOf(text), ...rows, ratio.toFixed(2), ratioOf(pagesOf), ratioOf(tookOf), verdict];
  return { cells, isTooMuch: above.length > 0 };
}

const pagesOf = ({ pages }: Cost) => pages;
const tookOf = ({ tookMs }: Cost) => tookMs;

/** The first table that a text changes or reads, and how. */
function nameOf(text: string): string {
  const [, verb, table] =
    /(UPDATE|INSERT INTO) ((?!OF|SKIP)[a-z]\w+)/.exec(text) ?? /(FROM) (?!unnest|\()(\w+)/.exec(text) ?? [];
  const change = /SET (\w+ = [^,\n]{0,12})/.exec(text)?.[1];
  return [verb?.toLowerCase(), table, change].filter(Boolean).join(' ');
}

function keepPlan(folder: string, step: string, { size, known, planning, text, plan }: Cost): void {
  const file = join(folder, `${step} ${size} ${known} ${planning}.json`.replaceAll(' ', '-'));
  writeFileSync(file, `${text}\n${JSON.stringify(plan, null, 1)}\n`);
}
