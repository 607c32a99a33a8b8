import { runProcess, startHealthServer } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

/** Left for closing connections when jobs in hand do not end in time. */
const drainReserveMs = 3_000;

await runProcess({
  name: 'webhook-dispatcher',
  loadConfig,
  start: async (parts) => {
    const { config, metrics, onShutdown, shutdownSignal } = parts;
    const container = await buildContainer(parts);
    const health = await startHealthServer({
      ...config.health,
      checks: container.checks,
      registry: metrics.registry,
      isDraining: () => shutdownSignal.aborted,
    });
    onShutdown('health', () => health.close());
    const worker = await container.startWorker();
    onShutdown('worker', (remainingMs) => worker.drain(remainingMs - drainReserveMs));
    const sweeper = container.startSweeper();
    onShutdown('sweeper', () => sweeper.stop());
  },
});
