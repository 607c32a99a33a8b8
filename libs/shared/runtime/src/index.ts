export { type PoolState, showBuild, watchPool } from './metrics/process-metrics.ts';
export { type SeenResponse, countCutBodies, timeResponses } from './metrics/response-metrics.ts';
export { firstAdminSettings, requireWholeFirstAdmin } from './first-admin-settings.ts';
export { type HealthServer, type HealthServerOptions, startHealthServer } from './health/health-server.ts';
export { loadSettings, SettingsError, type WrongSetting } from './load-settings.ts';
export { createLogger, type LoggerOptions } from './logger.ts';
export {
  type Counter,
  createMetrics,
  type Gauge,
  type Histogram,
  type Metrics,
  type Registry,
} from './metrics/metrics.ts';
export { nodeFlags } from './node-flags.ts';
export { keepReadiness, peerChecks, type Readiness, type ReadinessChecks, runChecks } from './health/readiness.ts';
export {
  type ProcessConfig,
  type ProcessOptions,
  type ProcessParts,
  runProcess,
  supervisedVariable,
} from './run-process.ts';
export { serveHealth } from './serve-health.ts';
export { isSetting, listSettings, type Setting, setting, type Settings, type SettingsShape } from './setting.ts';
export {
  chatSettings,
  databaseSettings,
  healthSettings,
  inboundRetentionSettings,
  leaseSettings,
  taskLimitSettings,
  loggingSettings,
  proxySettings,
  redisSettings,
  retentionSettings,
  secretSettings,
  servingShutdownSettings,
  shutdownSettings,
  targetSettings,
} from './setting-groups.ts';
export { cidrList, flag, integer, keyList, list, numberList, originList, port, text, url } from './setting-types.ts';
export { telemetrySettings } from './telemetry-settings.ts';
export { startTracing } from './start-tracing.ts';
export { createShutdown, drainMs, type Shutdown, type ShutdownStep } from './shutdown.ts';
export { type Loop, type LoopOptions, startLoop } from './start-loop.ts';
export { countStreams } from './metrics/stream-metrics.ts';
export { serviceVersion } from './metrics/release.ts';
