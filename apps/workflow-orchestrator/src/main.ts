import { defaultTenantLimits, requireWritable } from '@eas/db';
import { sourceHostOf } from '@eas/source-host';
import {
  countRelayed,
  drainAtShutdown,
  openWorkerProcess,
  startRelay,
  startWorker,
  watchOutbox,
  watchQueues,
  watchRedis,
} from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { configShape, loadConfig } from './config.ts';
import { workflowHandlers } from './handlers.ts';
import { startLoops } from './loops.ts';
import { watchStores } from './watch-stores.ts';
import { watchTasks } from './watch-work.ts';

await runProcess({
  name: 'workflow-orchestrator',
  loadConfig,
  configShape,
  async start(parts) {
    const { config, logger, metrics, onShutdown } = parts;
    const { exportFolder } = config.retention;
    if (exportFolder !== undefined) await requireWritable(exportFolder, 'RETENTION_EXPORT_DIR');
    const limits = { ...defaultTenantLimits, ...config.limits };
    const { database, queues, makeContext, checks, idleWatch } = await openWorkerProcess(parts, limits);
    watchOutbox(metrics, database);
    watchQueues(metrics, queues);
    watchTasks(metrics, database);
    watchRedis(metrics, queues);
    watchStores({ metrics, database, config, logger });
    await serveHealth(parts, checks);
    const { concurrency } = config.workers;
    const options = { makeContext, concurrency, isFair: true, logger };
    const handlers = workflowHandlers({ sourceHost: sourceHostOf(config.platform.sourceHostApiUrl) });
    drainAtShutdown(parts, await startWorker(queues, 'workflow', handlers, options));
    const relay = startRelay({ database, queues, logger, idleWatch, observer: countRelayed(metrics) });
    onShutdown('relay', () => relay.stop());
    startLoops({ database, makeContext, idleWatch }, parts);
  },
});
