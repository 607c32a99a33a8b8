import type { Logger } from '@eas/core';
import { SettingsError } from './load-settings.ts';
import type { SettingsShape } from './setting.ts';
import { settingFileContents } from './setting-files.ts';

const defaultEveryMs = 10_000;

export type WatchedFiles = {
  shape: SettingsShape;
  /** What they had before the settings were read: a change since then counts. */
  known: string;
  /** Throws a SettingsError if the process could not start with what the files have. */
  loadConfig: () => unknown;
  logger: Pick<Logger, 'error'>;
  everyMs?: number | undefined;
  onChange: () => void;
};

/**
 * Calls `onChange` once, when files of settings have had another valid content for two readings: one that is being
 * written is not taken. Processes that read the same files do so at different moments.
 */
export function watchSettingFiles(watched: WatchedFiles): void {
  const { shape, loadConfig, logger, onChange, everyMs = defaultEveryMs } = watched;
  let { known } = watched;
  if (known === '') return;
  let before = known;
  const timer = setInterval(() => {
    const now = settingFileContents(shape, process.env);
    const isSettled = now === before;
    before = now;
    if (!isSettled || now === known) return;
    known = now;
    try {
      loadConfig();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return logger.error({ err: error }, 'changed settings are not used');
    }
    clearInterval(timer);
    setTimeout(onChange, Math.random() * 2 * everyMs).unref();
  }, everyMs).unref();
}
