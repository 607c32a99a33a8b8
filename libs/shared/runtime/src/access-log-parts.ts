import type { Logger } from '@eas/core';
import { atLevel } from './logger.ts';
import type { Settings } from './settings/setting.ts';
import type { accessLogSettings, loggingSettings } from './settings/setting-groups.ts';

type AccessLogConfig = Settings<{ accessLog: typeof accessLogSettings; logging: typeof loggingSettings }>;

type AccessLogParts = { logger: Logger; lines: 'off' | 'errors' | 'all'; sample: number };

const levelsWithInfo: readonly string[] = ['info', 'debug', 'trace'];

/** What the access log of a process needs. Its lines have the level info and do not depend on LOG_LEVEL. */
export function accessLogParts(logger: Logger, { accessLog, logging }: AccessLogConfig): AccessLogParts {
  const usual = levelsWithInfo.includes(logging.level) ? 'all' : 'off';
  return { logger: atLevel(logger, 'info'), lines: accessLog.lines ?? usual, sample: accessLog.sample };
}
