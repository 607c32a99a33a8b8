import { setTimeout as sleep } from 'node:timers/promises';
import type { DbScope } from '@eas/db';
import { startRun } from '@eas/workflows';
import { doAsChild } from '../harness/child-task.ts';
import { keepInFlight } from './in-flight.ts';
import type { RunLoad, RunLoadResult } from './run-load.ts';
import { openUseCases, startAgents } from './use-cases.ts';

/** A run that has not ended by then is lost. */
const patienceMs = 30_000;
const pollMs = 10;

doAsChild<RunLoad>(async ({ databaseUrl, workflowId, agentIds, ...load }) => {
  const useCases = await openUseCases(databaseUrl);
  const { ctx } = useCases;
  const watch = watchRuns(ctx);
  const agents = startAgents(useCases, agentIds);
  const usedBefore = process.cpuUsage();
  const body = { name: 'A run of the bench', parameters: {} };
  let runs = 0;
  const running = keepInFlight(load, async () => {
    const { workflow_run_id: runId } = await startRun(ctx, { workflowId, body });
    runs += 1;
    await watch.untilEnded(runId);
  });
  const result = await Promise.race([running, agents.working.then(() => running)]);
  watch.stop();
  await agents.end();
  await useCases.close();
  const { user, system } = process.cpuUsage(usedBefore);
  return { ...result, runs, processorMs: (user + system) / 1_000 } satisfies RunLoadResult;
});

/** Notifies those that wait for a run when it has ended; one small query for all of them at a time. */
function watchRuns({ db, tenantId }: DbScope) {
  const waiting = new Map<string, { since: number; resolve: () => void; reject: (error: Error) => void }>();
  let isOver = false;
  const settle = (id: string, status?: string) => {
    const one = waiting.get(id);
    if (!one || (!status && performance.now() - one.since < patienceMs)) return;
    waiting.delete(id);
    if (status === 'completed') one.resolve();
    else one.reject(new Error(`run ${id} ${status ? `is ${status}` : `has not ended within ${patienceMs} ms`}`));
  };
  async function poll(): Promise<void> {
    const ended = await db.query<{ id: string; status: string }>(
      `SELECT id, status FROM workflow_runs WHERE tenant_id = $1 AND id = ANY ($2) AND status <> 'started'`,
      [tenantId, [...waiting.keys()]],
    );
    for (const { id, status } of ended) settle(id, status);
    for (const id of waiting.keys()) settle(id);
  }
  void (async () => {
    for (; !isOver; await sleep(pollMs)) if (waiting.size > 0) await poll();
  })();
  return {
    untilEnded: (id: string) =>
      new Promise<void>((resolve, reject) => waiting.set(id, { since: performance.now(), resolve, reject })),
    stop: () => void (isOver = true),
  };
}
