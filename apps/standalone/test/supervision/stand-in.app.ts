// A small app for the tests of supervision: it has a health port and takes DRAIN_MS to end.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  healthSettings,
  integer,
  loadSettings,
  loggingSettings,
  runProcess,
  setting,
  shutdownSettings,
  startHealthServer,
} from '@eas/runtime';

const shape = {
  logging: loggingSettings,
  shutdown: shutdownSettings,
  health: healthSettings(0),
  drainMs: setting('DRAIN_MS', integer(0, 60_000).default(0).describe('how long its end takes')),
};

await runProcess({
  name: 'stand-in',
  loadConfig: () => loadSettings(shape, process.env),
  configShape: shape,
  readSettingsMs: 50,
  start: async ({ config, logger, metrics, onShutdown, shutdownSignal }) => {
    const isDraining = () => shutdownSignal.aborted;
    const health = await startHealthServer({ ...config.health, checks: {}, registry: metrics.registry, isDraining });
    onShutdown('health', () => health.close());
    onShutdown('work in hand', () => sleep(config.drainMs));
    logger.warn({ pid: process.pid, drainMs: config.drainMs }, 'up');
  },
});
