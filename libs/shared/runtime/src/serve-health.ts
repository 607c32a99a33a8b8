import { unusablePort } from '@eas/core';
import { startHealthServer } from './health/health-server.ts';
import { watchReadiness } from './watch-process.ts';
import type { ReadinessChecks } from './health/readiness.ts';
import type { ProcessParts } from './run-process.ts';

/**
 * Serves until shutdown: call it before starting anything that takes time to stop, so that it closes after that.
 * /readyz responds with 503 as soon as the process drains. The checks are metrics too. Throws a StartError when the
 * port is taken.
 */
export async function serveHealth(
  { config, metrics, onShutdown, shutdownSignal }: ProcessParts<{ health: { host: string; port: number } }>,
  checks: ReadinessChecks,
): Promise<void> {
  watchReadiness(metrics, checks);
  const health = await startHealthServer({
    ...config.health,
    checks,
    registry: metrics.registry,
    isDraining: () => shutdownSignal.aborted,
  }).catch((error: unknown) => {
    throw unusablePort('The health port', 'HEALTH_PORT', config.health, error);
  });
  onShutdown('health', () => health.close());
}
