import { serve } from '@eas/http';
import { drainMs, runProcess, serveHealth } from '@eas/runtime';
import { configShape, loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

await runProcess({
  name: 'webhook-receiver',
  loadConfig,
  configShape,
  start: async (parts) => {
    const { config, logger, onShutdown } = parts;
    const container = await buildContainer(parts);
    await serveHealth(parts, container.checks);
    const { host, port } = config.receiver;
    const listening = await serve(container.app, { host, port, setting: 'RECEIVER_PORT' });
    const delayMs = config.shutdown.delaySeconds * 1_000;
    onShutdown('receiver', (remainingMs) => listening.close(drainMs(remainingMs), delayMs));
    logger.info({ host, port: listening.port }, 'receiving');
  },
});
