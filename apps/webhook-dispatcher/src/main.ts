import { runProcess, serveHealth } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

/** Left for closing connections when jobs in hand do not end in time. */
const drainReserveMs = 3_000;

await runProcess({
  name: 'webhook-dispatcher',
  loadConfig,
  start: async (parts) => {
    const { onShutdown } = parts;
    const container = await buildContainer(parts);
    await serveHealth(parts, container.checks);
    const worker = await container.startWorker();
    onShutdown('worker', (remainingMs) => worker.drain(remainingMs - drainReserveMs));
    const sweeper = container.startSweeper();
    onShutdown('sweeper', () => sweeper.stop());
  },
});
