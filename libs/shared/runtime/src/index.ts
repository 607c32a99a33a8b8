export { watchPool } from './metrics/process-metrics.ts';
export { countCutBodies, timeResponses } from './metrics/response-metrics.ts';
export { firstAdminSettings, requireWholeFirstAdmin } from './settings/first-admin-settings.ts';
export { startHealthServer } from './health/health-server.ts';
export { loadSettings, SettingsError, type WrongSetting } from './settings/load-settings.ts';
export { accessLogParts } from './access-log-parts.ts';
export { createLogger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { watchTogether } from './metrics/watch-together.ts';
export { nodeFlags } from './node-flags.ts';
export { keepReadiness, peerChecks, type Readiness, type ReadinessChecks } from './health/readiness.ts';
export { recordEachMinute } from './record-each-minute.ts';
export { type ProcessParts, runProcess, supervisedVariable } from './run-process.ts';
export { serveHealth } from './serve-health.ts';
export {
  isSetting,
  listSettings,
  type Setting,
  setting,
  type Settings,
  type SettingsShape,
} from './settings/setting.ts';
export { fileVariable, isSet, withSettings } from './settings/setting-files.ts';
export {
  accessLogSettings,
  bootstrapRateLimit,
  chatSettings,
  databaseSettings,
  healthSettings,
  inboundRetentionSettings,
  leaseSettings,
  taskLimitSettings,
  tenantHistorySettings,
  loggingSettings,
  proxySettings,
  redisSettings,
  retentionSettings,
  sessionRetentionSettings,
  secretSettings,
  servingShutdownSettings,
  shutdownSettings,
  targetSettings,
  variables,
} from './settings/setting-groups.ts';
export { integer, list, numberList, originList, text, url } from './settings/setting-types.ts';
export { telemetrySettings } from './settings/telemetry-settings.ts';
export { drainMs } from './shutdown.ts';
export { type IdleWatch, type Loop, type PausingLoop, startLoop } from './start-loop.ts';
export { countStreams } from './metrics/stream-metrics.ts';
export { serviceVersion } from './metrics/release.ts';
