import { startWorker } from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';
import { handlers } from './handlers.ts';

/** Left for closing connections when jobs in hand do not end in time. */
const drainReserveMs = 3_000;

await runProcess({
  name: 'analytics-aggregator',
  loadConfig,
  async start(parts) {
    const { config, logger, onShutdown } = parts;
    const { queues, makeContext, checks } = await buildContainer(parts);
    const worker = await startWorker(queues, 'analytics', handlers, {
      makeContext,
      concurrency: config.workers.concurrency,
      logger,
    });
    onShutdown('worker', (remainingMs) => worker.drain(remainingMs - drainReserveMs));
    await serveHealth(parts, checks);
  },
});
