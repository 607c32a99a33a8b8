import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { noteSettings, refuseSecrets } from '@eas/testing';

const start = resolve(import.meta.dirname, '../container/start-app.ts');

export type Env = Record<string, string | undefined>;

/** `output`: of both streams so far. `closed`: the exit code, once both have ended; rejects when they had a secret. */
export type LaunchedApp = { child: ChildProcess; output: () => string; closed: Promise<[number | null]> };

/** One app by the start script of the image, with these settings alone. */
export function launchApp(app: string, env: Env, stdout: 'pipe' | number = 'pipe'): LaunchedApp {
  noteSettings(env);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', start, app], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = (once(child, 'close') as Promise<[number | null]>).then((ended) => {
    refuseSecrets(output);
    return ended;
  });
  return { child, output: () => output, closed };
}

export const responds = (port: string | undefined, path: string) => () =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ ok }) => ok,
    () => false,
  );
