import type { Logger } from '@eas/core';
import { SettingsError } from './settings/load-settings.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { showBuild } from './metrics/process-metrics.ts';
import type { Settings, SettingsShape } from './settings/setting.ts';
import { settingFileContents } from './settings/setting-files.ts';
import { watchSettingFiles } from './settings/watch-setting-files.ts';
import { startTracing } from './start-tracing.ts';
import type { telemetrySettings } from './settings/telemetry-settings.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { watchLoops } from './watch-process.ts';

export type ProcessConfig = {
  logging: { level: string };
  shutdown: { seconds: number };
  telemetry?: Settings<typeof telemetrySettings>;
};

export type ProcessParts<C> = {
  name: string;
  config: C;
  logger: Logger;
  metrics: Metrics;
  onShutdown: Shutdown['onShutdown'];
  /** Aborts when the process begins to drain. */
  shutdownSignal: AbortSignal;
};

export type ProcessOptions<C extends ProcessConfig> = {
  name: string;
  /** Reads the settings; a SettingsError ends the process with its message and exit code 1. */
  loadConfig: () => C;
  /** Of the settings whose files are watched: the process drains and starts again when they change. */
  configShape?: SettingsShape;
  /** How often they are read; 10 s by default. */
  readSettingsMs?: number;
  /** JSON lines on stdout by default. */
  openLogger?: (config: C) => Logger;
  start: (parts: ProcessParts<C>) => Promise<void>;
};

/** A supervisor sets it to `true` for its children, with which it holds an IPC channel. */
export const supervisedVariable = 'SUPERVISED';
/** A process without its supervisor is an orphan on ports that the next start needs: it gets less time. */
const orphanBudgetMs = 3_000;
/** Launchers pass on signals that the terminal has already sent to the whole group: both count as one. */
const repeatedSignalMs = 1_000;

/**
 * Runs a process until it is asked to end. SIGTERM, SIGINT, the supervisor's `shutdown` message and the loss of the
 * supervisor drain it: exit code 0, or 1 when it took too long. A second signal ends it at once. Errors that no code
 * caught end it with exit code 1.
 */
export async function runProcess<C extends ProcessConfig>(options: ProcessOptions<C>): Promise<void> {
  const { name, loadConfig, start } = options;
  const isSupervised = process.env[supervisedVariable] === 'true';
  const shape = options.configShape;
  const known = shape ? settingFileContents(shape, process.env) : '';
  const config = loadOrExit(name, loadConfig);
  const hasTraces = config.telemetry?.endpoint !== undefined;
  const logger =
    options.openLogger?.(config) ??
    createLogger({ name, level: config.logging.level, alertsToStderr: isSupervised, hasTraces });
  const shutdown = createShutdown(logger);
  const end = createEnd(shutdown, logger);
  obeySignals(end, logger, config.shutdown.seconds * 1_000);
  if (isSupervised) obeySupervisor(end, config.shutdown.seconds * 1_000);
  process.on('uncaughtException', (error) => fail(logger, error, 'uncaught error'));
  process.on('unhandledRejection', (error) => fail(logger, error, 'unhandled rejection'));
  const { onShutdown, signal } = shutdown;
  try {
    await startTracing(config.telemetry, { name, logger, onShutdown });
    await start(createParts({ name, config, logger, onShutdown, shutdownSignal: signal }));
    logger.info({ pid: process.pid }, 'started');
    const onChange = () => end('settings changed', config.shutdown.seconds * 1_000, { isRestart: !isSupervised });
    if (shape) watchSettingFiles({ shape, known, loadConfig, logger, everyMs: options.readSettingsMs, onChange });
    if (process.connected) process.send?.({ type: 'ready' });
  } catch (error) {
    // A start that was interrupted by a signal is expected to fail.
    if (!signal.aborted) fail(logger, error, 'start failed');
  }
}

/** Metrics are created on first use. */
function createParts<C extends ProcessConfig>(parts: Omit<ProcessParts<C>, 'metrics'>): ProcessParts<C> {
  let metrics: Metrics | undefined;
  return {
    ...parts,
    get metrics() {
      if (!metrics) {
        metrics = createMetrics();
        showBuild(metrics, parts.config.telemetry?.commit ?? 'unknown');
        watchLoops(metrics);
      }
      return metrics;
    },
  };
}

function loadOrExit<C>(name: string, loadConfig: () => C): C {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(1);
  }
}

/** `isRestart`: the process starts again afterwards, unless it is asked to end in the meantime. */
type End = (reason: string, budgetMs: number, then?: { isRestart: boolean }) => void;

function createEnd(shutdown: Shutdown, logger: Logger): End {
  let isEnding = false;
  let restarts = false;
  return (reason, budgetMs, { isRestart } = { isRestart: false }) => {
    restarts = isRestart;
    if (isEnding) return;
    isEnding = true;
    logger.info({ reason }, 'shutting down');
    void shutdown.run(budgetMs).then((isClean) => {
      if (restarts && process.execve) startAgain(process.execve);
      process.exit(isClean ? 0 : 1);
    });
  };
}

/** In the same process, so that its container goes on. */
function startAgain(execve: NonNullable<typeof process.execve>): void {
  // Writes the lines of the log that wait.
  process.emit('exit', 0);
  process.removeAllListeners('warning');
  execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

function obeySignals(end: End, logger: Logger, budgetMs: number): void {
  let firstSignalAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstSignalAt !== undefined && now - firstSignalAt > repeatedSignalMs) {
      logger.warn({ signal }, 'second signal received, exiting now');
      process.exit(signal === 'SIGINT' ? 130 : 143);
    }
    firstSignalAt ??= now;
    end(signal, budgetMs);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function obeySupervisor(end: End, budgetMs: number): void {
  const onLost = () => end('supervisor lost', Math.min(orphanBudgetMs, budgetMs));
  if (!process.connected) return onLost();
  process.on('message', (message) => {
    if ((message as { type?: unknown } | null)?.type === 'shutdown') end('supervisor', budgetMs);
  });
  process.on('disconnect', onLost);
}

function fail(logger: Logger, error: unknown, message: string): never {
  logger.error({ err: error }, message);
  process.exit(1);
}
