// `npm run dev`: `npm start`, begun again when a source file changes.
import { spawn, type ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const QUIET_MS = 300;
let child: ChildProcess | undefined;
let timer: NodeJS.Timeout | undefined;
let isRestarting = false;
let isStopping = false;

function start(): void {
  isRestarting = false;
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'apps/standalone/src/main.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  child.once('close', (code) => {
    child = undefined;
    if (isStopping) process.exit(code ?? 0);
    if (isRestarting) start();
    else process.stdout.write('[dev] stopped by itself; waiting for a change ...\n');
  });
}

function restart(file: string): void {
  process.stdout.write(`[dev] ${file} changed: starting again ...\n`);
  if (!child) return start();
  isRestarting = true;
  child.kill('SIGTERM');
}

for (const folder of ['apps', 'libs', 'prisma']) {
  watch(resolve(root, folder), { recursive: true }, (_event, name) => {
    if (!name || !/\.(ts|sql|json)$/.test(name) || /\.spec\.ts$|node_modules/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => restart(`${folder}/${name}`), QUIET_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopping = true;
    if (child) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    else process.exit(0);
  });
}
start();
