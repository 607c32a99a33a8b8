import { migrate } from '@eas/db/migrate';
import { advanceRuns, startRun, sweepDueSteps } from '@eas/workflows';
import type { Scenario } from '../harness/bench.ts';
import { median, quantile, say, table } from '../harness/report.ts';
import type { Stores } from '../harness/stores.ts';
import { makeBenchAgents, makeWorkflow, stepKeys } from '../runs/bench-workflow.ts';
import { explainSweep } from '../runs/explain-sweep.ts';
import { fillRuns } from '../runs/fill-runs.ts';
import { openUseCases, type UseCases } from '../runs/use-cases.ts';

const few = { open: 1_000, closed: 0 };
const many = { open: 100_000, closed: 250_000 };
const runs = Number(process.env['BENCH_SAMPLES'] ?? 75);
/** The first ones warm connections and caches. */
const warmUps = 5;
const dueAtOnce = 100;

export const scenario: Scenario = {
  name: 'open-runs',
  about: `advancing one run next to ${few.open} and next to ${many.open} open runs; the sweep of due steps next to ${many.closed * stepKeys.length} closed ones`,
  async run({ stores }) {
    say('  loading');
    const [small, large] = [await openSetup(stores, 'few', few), await openSetup(stores, 'many', many)];
    try {
      await compareAdvances(small, large);
      await measureSweep(large);
    } finally {
      await small.drop();
      await large.drop();
    }
  },
};

type Setup = { useCases: UseCases; workflowId: string; agentId: string; drop(): Promise<void> };

/** A database of its own with runs in it, so that both sizes are measured in turns. No app runs on it. */
async function openSetup({ databaseUrl, database: { db } }: Stores, name: string, size: typeof few): Promise<Setup> {
  const url = new URL(databaseUrl);
  const databaseName = `${url.pathname.slice(1)}_${name}`;
  url.pathname = `/${databaseName}`;
  await db.query(`DROP DATABASE IF EXISTS "${databaseName}"`);
  await db.query(`CREATE DATABASE "${databaseName}"`);
  await migrate(url.toString());
  const useCases = await openUseCases(url.toString());
  const workflowId = await makeWorkflow(useCases.ctx);
  await fillRuns(useCases.database.db, { workflowId, ...size });
  const [agentId = ''] = await makeBenchAgents(useCases.ctx, 1);
  return {
    useCases,
    workflowId,
    agentId,
    async drop() {
      await useCases.close();
      await db.query(`DROP DATABASE "${databaseName}" WITH (FORCE)`);
    },
  };
}

async function compareAdvances(small: Setup, large: Setup): Promise<void> {
  const times = new Map<Setup, number[]>([small, large].map((setup) => [setup, []]));
  for (let number = -warmUps; number < runs; number += 1)
    for (const setup of number % 2 === 0 ? [small, large] : [large, small]) {
      const taken = await advanceThrough(setup);
      if (number >= 0) times.get(setup)?.push(...taken);
    }
  const [with1k, with100k] = [times.get(small) ?? [], times.get(large) ?? []];
  const row = (label: string, of: number[]) => [label, ...[0.5, 0.9, 0.99].map((share) => quantile(of, share))];
  table([
    [`${with1k.length} advances of one run`, 'p50 ms', 'p90 ms', 'p99 ms'],
    row(`with ${few.open} open runs`, with1k),
    row(`with ${many.open} open runs`, with100k),
  ]);
  say(`  ratio of medians ${(median(with100k) / median(with1k)).toFixed(2)} (at most 1.3)`);
}

/** Starts a run and completes its steps one by one. Returns how long each following advance took. */
async function advanceThrough({ useCases, workflowId, agentId }: Setup): Promise<number[]> {
  const { ctx, claim, complete } = useCases;
  const { workflow_run_id: runId } = await startRun(ctx, { workflowId, body: { name: 'Measured', parameters: {} } });
  const times: number[] = [];
  for (const key of stepKeys) {
    const claimed = await claim(agentId);
    if (!claimed) throw new Error(`the task of step ${key} was not there`);
    await complete(claimed);
    const startedAt = performance.now();
    await advanceRuns(ctx, [runId]);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** What the sweep reads and how long it takes: with nothing due, and with some steps that are. */
async function measureSweep({ useCases: { ctx, database } }: Setup): Promise<void> {
  const contextOf = () => ctx;
  const rows: (string | number)[][] = [];
  for (const due of [0, dueAtOnce]) {
    await database.db.query(
      `UPDATE run_steps SET due_at = app_now() - interval '1 second' WHERE (tenant_id, run_id, key) IN (
         SELECT tenant_id, run_id, key FROM run_steps WHERE due_at IS NOT NULL ORDER BY due_at LIMIT $1)`,
      [due],
    );
    const { rowsRead, buffers, tookMs } = await explainSweep(database, contextOf);
    const startedAt = performance.now();
    const swept = await sweepDueSteps(database.db, contextOf);
    rows.push([due, rowsRead, buffers, tookMs, swept, performance.now() - startedAt]);
  }
  table([['steps due', 'rows read to find them', 'pages of 8 kB', 'ms', 'runs advanced', 'ms in all'], ...rows]);
}
