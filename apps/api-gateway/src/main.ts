import { serve } from '@eas/http';
import { drainMs, runProcess, serveHealth } from '@eas/runtime';
import { configShape, loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

await runProcess({
  name: 'api-gateway',
  loadConfig,
  configShape,
  async start(parts) {
    const { config, logger, onShutdown } = parts;
    const { app, checks } = await buildContainer(parts);
    await serveHealth(parts, checks);
    const listening = await serve(app, config);
    const delayMs = config.shutdown.delaySeconds * 1_000;
    onShutdown('http', (remainingMs) => listening.close(drainMs(remainingMs), delayMs));
    logger.info({ host: config.host, port: listening.port }, 'listening');
  },
});
