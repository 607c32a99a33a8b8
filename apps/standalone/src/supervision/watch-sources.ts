import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { KeptAlive } from './keep-alive.ts';
import { say } from '../terminal.ts';

const settleMs = 200;
const graceMs = 2_000;

export function watchSources(root: string, kept: readonly KeptAlive[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onChange = (file: string | null) => {
    if (!file?.endsWith('.ts') || /\.spec\.ts$|node_modules|generated|admin-dashboard/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      say(`${file} changed: restarting the apps`);
      void Promise.all(kept.map((one) => one.restart(graceMs)));
    }, settleMs);
  };
  const watchers: FSWatcher[] = ['apps', 'libs'].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, file) => onChange(file)),
  );
  return () => {
    clearTimeout(timer);
    watchers.forEach((watcher) => watcher.close());
  };
}
