import { startRelay, startWorker } from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';
import { handlers } from './handlers.ts';
import { startLoops } from './loops.ts';

/** Left for closing connections when jobs in hand do not end in time. */
const drainReserveMs = 3_000;

await runProcess({
  name: 'workflow-orchestrator',
  loadConfig,
  async start(parts) {
    const { config, logger, onShutdown } = parts;
    const container = await buildContainer(parts);
    const { database, queues, makeContext } = container;
    const worker = await startWorker(queues, 'workflow', handlers, {
      makeContext,
      concurrency: config.workers.concurrency,
      logger,
    });
    onShutdown('worker', (remainingMs) => worker.drain(remainingMs - drainReserveMs));
    const relay = startRelay({ database, queues, logger });
    onShutdown('relay', () => relay.stop());
    startLoops(container, parts);
    await serveHealth(parts, container.checks);
  },
});
