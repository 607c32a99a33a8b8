import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@eas/core';
import { type Loop, startLoop } from '@eas/runtime';

const maxBytes = 50_000_000;

/** One log file an app under the data folder; full ones move to `<file>.1` and begin anew. */
export function openLogFiles(dataDir: string, appNames: readonly string[], logger: Logger) {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (name: string) => join(folder, `${name}.log`);
  const loop: Loop = startLoop({
    name: 'log files',
    everyMs: 60_000,
    logger,
    run: async () => appNames.map(fileOf).forEach(cutWhenFull),
  });
  return { fileOf, close: () => loop.stop() };
}

/** The app keeps writing to the same open file, so it is copied and emptied, not renamed. */
function cutWhenFull(file: string): void {
  if (!existsSync(file) || statSync(file).size < maxBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
