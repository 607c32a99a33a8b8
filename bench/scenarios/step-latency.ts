import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from '@eas/tasks';
import { startRun } from '@eas/workflows';
import { workerApps } from '../harness/apps.ts';
import { clearTables, countBacklog } from '../harness/backlog.ts';
import type { Scenario } from '../harness/bench.ts';
import { fillOutbox } from '../runs/fill-outbox.ts';
import { quantile, say, table } from '../harness/report.ts';
import { makeBenchAgents, makeWorkflow, removeBenchAgents, stepKeys } from '../runs/bench-workflow.ts';
import { openUseCases, type UseCases } from '../runs/use-cases.ts';

const runs = Number(process.env['BENCH_SAMPLES'] ?? 150);
/** Events of another tenant that wait for their consumers while the runs are measured again. */
const backlog = Number(process.env['BENCH_BACKLOG'] ?? 100_000);
/** The first ones warm connections and caches. */
const warmUps = 5;
const workMs = 20;

type Times = { start: number[]; step: number[]; end: number[] };

export const scenario: Scenario = {
  name: 'step-latency',
  about: `one run at a time (${runs} runs): step completed → the claim that waits has the next step's task, through the orchestrator; then next to ${backlog} events of another tenant`,
  async run(bench) {
    const { apps, stores } = bench;
    await apps.startAll(workerApps);
    const useCases = await openUseCases(stores.databaseUrl);
    const agentIds = await makeBenchAgents(useCases.ctx, 2);
    const workflowId = await makeWorkflow(useCases.ctx);
    const measured = { workflowId, agentIds };
    const alone = await measureRuns(useCases, measured);
    await fillOutbox(useCases, backlog);
    const loaded = await measureRuns(useCases, measured);
    const left = await countBacklog(bench);
    const row = (label: string, of: number[]) => [label, ...[0.5, 0.9, 0.99, 1].map((share) => quantile(of, share))];
    const rows = (label: string, { start, step, end }: Times) => [
      row(`${label}: run started → its first step is claimed`, start),
      row(`${label}: step completed → the next one is claimed`, step),
      row(`${label}: last step completed → run completed`, end),
    ];
    table([['', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'], ...rows('alone', alone), ...rows('loaded', loaded)]);
    say(`  ${alone.step.length} steps; each claim waited before; agents in this process, without HTTP`);
    say(`  loaded: ${left.pending} outbox rows were still pending at the end`);
    await useCases.close();
    await apps.stopAll();
    await clearTables(bench);
    await removeBenchAgents(stores.database.db);
  },
};

async function measureRuns(useCases: UseCases, given: Omit<Given, 'times'>): Promise<Times> {
  const times: Times = { start: [], step: [], end: [] };
  for (let number = -warmUps; number < runs; number += 1) {
    if (number === 0) Object.assign(times, { start: [], step: [], end: [] });
    await measureRun(useCases, { ...given, times });
  }
  return times;
}

type Given = { workflowId: string; agentIds: readonly string[]; times: Times };

async function measureRun(useCases: UseCases, { workflowId, agentIds, times }: Given): Promise<void> {
  const { ctx, claim, complete } = useCases;
  const wait = (turn: number) => claim(agentIds[turn % agentIds.length] ?? '').then(withTime);
  let waiting = wait(0);
  await sleep(workMs);
  const { workflow_run_id: runId } = await startRun(ctx, { workflowId, body: { name: 'Measured', parameters: {} } });
  let sinceAt = performance.now();
  for (const [turn] of stepKeys.entries()) {
    const { claimed, at } = await waiting;
    (turn === 0 ? times.start : times.step).push(Math.max(0, at - sinceAt));
    if (turn < stepKeys.length - 1) waiting = wait(turn + 1);
    await sleep(workMs);
    await complete(claimed);
    sinceAt = performance.now();
  }
  while (!(await isCompleted(useCases, runId))) await sleep(1);
  times.end.push(performance.now() - sinceAt);
}

function withTime(claimed: Claim | undefined): { claimed: Claim; at: number } {
  const at = performance.now();
  if (!claimed) throw new Error('the next step did not come');
  return { claimed, at };
}

async function isCompleted({ ctx: { db, tenantId } }: UseCases, runId: string): Promise<boolean> {
  const [run] = await db.query<{ status: string }>(
    'SELECT status FROM workflow_runs WHERE tenant_id = $1 AND id = $2',
    [tenantId, runId],
  );
  return run?.status === 'completed';
}
