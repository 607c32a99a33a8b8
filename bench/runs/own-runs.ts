import { type RunningApp, workerApps } from '../harness/apps.ts';
import { clearTables, countBacklog, drainBacklog } from '../harness/backlog.ts';
import type { Bench } from '../harness/bench.ts';
import { formatNumber, say } from '../harness/report.ts';
import { makeBenchAgents, makeWorkflow, removeBenchAgents } from './bench-workflow.ts';
import { checkRuns } from './check-runs.ts';
import type { FlightLoad } from './in-flight.ts';
import { type RunLoadResult, runRuns } from './run-load.ts';
import { contextOn } from './use-cases.ts';

/** Ours: all worker apps live, starter and agents in one further process. */
export type OwnRuns = {
  apps: readonly RunningApp[];
  run(load: FlightLoad): Promise<RunLoadResult>;
  /** Waits until no event is pending, and fails unless every run is complete. */
  check(): Promise<void>;
  close(): Promise<void>;
};

export async function startOwnRuns(bench: Bench, agentCount: number): Promise<OwnRuns> {
  const { database, databaseUrl } = bench.stores;
  const ctx = contextOn(database);
  const agentIds = await makeBenchAgents(ctx, agentCount);
  const workflowId = await makeWorkflow(ctx);
  const apps = await bench.apps.startAll(workerApps);
  return {
    apps,
    run: (load) => runRuns({ ...load, databaseUrl, workflowId, agentIds }),
    async check() {
      const { pending } = await countBacklog(bench);
      const { seconds, dead } = await drainBacklog(bench, 300);
      say(
        `  ${formatNumber(pending)} outbox rows after the last run, drained in ${formatNumber(seconds)} s, ${dead} dead`,
      );
      const runs = await checkRuns(database.db, workflowId);
      say(`  ${formatNumber(runs)} runs, all completed, each step done once, every entry and event there`);
    },
    async close() {
      await bench.apps.stopAll();
      await clearTables(bench);
      await removeBenchAgents(database.db);
    },
  };
}
