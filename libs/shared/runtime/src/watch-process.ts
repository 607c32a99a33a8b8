import type { Metrics } from './metrics/metrics.ts';
import { type ReadinessChecks, runChecks } from './health/readiness.ts';
import { failedRuns } from './start-loop.ts';

/** Registers the readiness checks, run at each scrape. One that hangs fails before the scrape stops waiting for the gauge. */
export function watchReadiness(metrics: Metrics, checks: ReadinessChecks, checkMs = 1_500): void {
  metrics.gauge('eas_ready', async (ready) => {
    const { checks: results } = await runChecks(checks, checkMs);
    for (const [check, result] of Object.entries(results)) ready.set({ check }, result === 'ok' ? 1 : 0);
  });
}

/** Registers the state of the process's loops. */
export function watchLoops(metrics: Metrics): void {
  metrics.gauge('eas_loop_failed_runs', (gauge) => {
    gauge.reset();
    for (const [loop, runs] of failedRuns()) gauge.set({ loop }, runs);
  });
}
