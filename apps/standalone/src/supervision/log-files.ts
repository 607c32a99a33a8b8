import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@eas/core';
import { type Loop, startLoop } from '@eas/runtime';

const maxBytes = 50_000_000;

export type LogFiles = ReturnType<typeof openLogFiles>;

/** One log file a process under the data folder; full ones move to `<file>.1` and begin again. */
export function openLogFiles(dataDir: string, logger: Logger) {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const open = new Set<string>();
  const fileOf = (name: string) => {
    const file = join(folder, `${name}.log`);
    open.add(file);
    return file;
  };
  const loop: Loop = startLoop({
    name: 'log files',
    everyMs: 60_000,
    logger,
    run: async () => open.forEach(cutWhenFull),
  });
  const remove = (name: string) => {
    const file = fileOf(name);
    open.delete(file);
    for (const one of [file, `${file}.1`]) rmSync(one, { force: true });
  };
  return { fileOf, remove, close: () => loop.stop() };
}

/** The app keeps writing to the same open file, so it is copied and emptied, not renamed. */
function cutWhenFull(file: string): void {
  if (!existsSync(file) || statSync(file).size < maxBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
