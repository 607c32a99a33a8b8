import { defaultTenantLimits } from '@eas/db';
import { drainAtShutdown, openWorkerProcess, startRelay, startWorker, watchOutbox } from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { handlers } from './handlers.ts';
import { startLoops } from './loops.ts';

await runProcess({
  name: 'workflow-orchestrator',
  loadConfig,
  async start(parts) {
    const { config, logger, metrics, onShutdown } = parts;
    const limits = { ...defaultTenantLimits, ...config.limits };
    const { database, queues, makeContext, checks } = await openWorkerProcess(parts, limits);
    watchOutbox(metrics, database);
    const { concurrency } = config.workers;
    drainAtShutdown(parts, await startWorker(queues, 'workflow', handlers, { makeContext, concurrency, logger }));
    const relay = startRelay({ database, queues, logger });
    onShutdown('relay', () => relay.stop());
    startLoops({ database, makeContext }, parts);
    await serveHealth(parts, checks);
  },
});
