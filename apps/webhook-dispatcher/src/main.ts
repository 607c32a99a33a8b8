import { drainAtShutdown } from '@eas/queue';
import { runProcess, serveHealth } from '@eas/runtime';
import { configShape, loadConfig } from './config.ts';
import { buildContainer } from './container.ts';

await runProcess({
  name: 'webhook-dispatcher',
  loadConfig,
  configShape,
  start: async (parts) => {
    const { onShutdown } = parts;
    const container = await buildContainer(parts);
    await serveHealth(parts, container.checks);
    drainAtShutdown(parts, await container.startWorker());
    const sweeper = container.startSweeper();
    onShutdown('sweeper', () => sweeper.stop());
    const replays = container.startReplays();
    onShutdown('replays', () => replays.stop());
    const posting = container.startPosting();
    onShutdown('chat messages', () => posting.stop());
    const tidying = container.startTidying();
    onShutdown('old chat messages', () => tidying.stop());
  },
});
