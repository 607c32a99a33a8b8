import { drainAtShutdown, openWorkerProcess, startWorker } from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { configShape, loadConfig } from './config.ts';
import { countUsage } from './count-usage.ts';
import { analyticsHandlers } from './handlers.ts';
import { startCountingOverdue } from './counting-overdue.ts';
import { startMeasuringUsage } from './measuring-usage.ts';
import { startRecounting } from './recounting.ts';
import { startReportingLoudest } from './reporting-loudest.ts';

await runProcess({
  name: 'analytics-aggregator',
  loadConfig,
  configShape,
  async start(parts) {
    const { config, logger, metrics, onShutdown } = parts;
    const { database, queues, makeContext, checks, idleWatch } = await openWorkerProcess(parts);
    await serveHealth(parts, checks);
    const { concurrency } = config.workers;
    const recounting = startRecounting(database, parts);
    onShutdown('recount', () => recounting.stop());
    const overdue = startCountingOverdue(database, { ...parts, idleWatch });
    onShutdown('overdue', () => overdue.stop());
    const measuring = [...startMeasuringUsage(database, parts), startReportingLoudest(database, parts)];
    onShutdown('usage', async () => void (await Promise.all(measuring.map((loop) => loop.stop()))));
    const handlers = analyticsHandlers({ onFacts: () => recounting.onFacts(), onUsage: countUsage(metrics) });
    drainAtShutdown(parts, await startWorker(queues, 'analytics', handlers, { makeContext, concurrency, logger }));
  },
});
