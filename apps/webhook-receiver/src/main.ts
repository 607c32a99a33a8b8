import { serve } from '@eas/http';
import { runProcess, startHealthServer } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

await runProcess({
  name: 'webhook-receiver',
  loadConfig,
  start: async (parts) => {
    const { config, logger, metrics, onShutdown, shutdownSignal } = parts;
    const container = await buildContainer(parts);
    const health = await startHealthServer({
      ...config.health,
      checks: container.checks,
      registry: metrics.registry,
      isDraining: () => shutdownSignal.aborted,
    });
    onShutdown('health', () => health.close());
    const { host, port } = config.receiver;
    const listening = await serve(container.app, { host, port });
    onShutdown('receiver', (remainingMs) => listening.close(remainingMs));
    logger.info({ host, port: listening.port }, 'receiving');
  },
});
