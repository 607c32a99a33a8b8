import { serve } from '@eas/http';
import { runProcess, startHealthServer } from '@eas/runtime';
import { loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

await runProcess({
  name: 'api-gateway',
  loadConfig,
  async start(parts) {
    const { config, logger, metrics, onShutdown, shutdownSignal } = parts;
    const { app, checks } = await buildContainer(parts);
    const health = await startHealthServer({
      ...config.health,
      checks,
      registry: metrics.registry,
      isDraining: () => shutdownSignal.aborted,
    });
    onShutdown('health', () => health.close());
    const listening = await serve(app, config);
    onShutdown('http', (remainingMs) => listening.close(remainingMs));
    logger.info({ host: config.host, port: listening.port }, 'listening');
  },
});
