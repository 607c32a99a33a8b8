import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { nodeFlags } from '@eas/runtime';
import type { Running } from './keep-alive.ts';

export type SpawnOptions = {
  /** TypeScript file to run under this process's own Node. */
  file: string;
  args?: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  logFile: string;
  /** Gets what the app writes to stderr: warnings, errors, and the last words of a crash. Left out: the log file does. */
  onAlert?: (line: string) => void;
  /** Gets what the app sends over its channel; `send` is dropped when that is closed. */
  onMessage?: (message: unknown, send: (message: object) => void) => void;
};

export type SpawnedApp = Running & {
  /** null: it runs, or a signal ended it. */
  exitCode(): number | null;
};

const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Runs an app as a child that ends when this process does: it holds an IPC channel and drains when that closes. */
export function spawnApp({ file, args = [], cwd, env, logFile, onAlert, onMessage }: SpawnOptions): SpawnedApp {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], {
    cwd,
    env,
    stdio: ['ignore', log, onAlert ? 'pipe' : log, 'ipc'],
  });
  closeSync(log);
  children.add(child);
  if (child.stderr && onAlert) createInterface({ input: child.stderr }).on('line', onAlert);
  const send = (message: object) => void (child.connected && child.send(message, () => {}));
  if (onMessage) child.on('message', (message) => onMessage(message, send));
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
  return { exited, stop: (graceMs) => stopChild(child, exited, graceMs), exitCode: () => child.exitCode };
}

async function stopChild(child: ChildProcess, exited: Promise<string>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Not a signal: Ctrl-C has reached the child already, and a second signal would end it at once.
  if (child.connected) child.send({ type: 'shutdown' }, () => {});
  else child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}
