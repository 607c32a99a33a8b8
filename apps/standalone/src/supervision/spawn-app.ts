import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { nodeFlags, supervisedVariable } from '@eas/runtime';
import type { Running } from './keep-alive.ts';

export type SpawnOptions = {
  /** TypeScript file to run under this process's own Node. */
  file: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  logFile: string;
  /** Gets what the app writes to stderr: warnings, errors, and the last words of a crash. */
  onAlert: (line: string) => void;
};

const children = new Set<ChildProcess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Runs an app as a child that ends when this process does: it holds an IPC channel and drains when that closes. */
export function spawnApp({ file, cwd, env, logFile, onAlert }: SpawnOptions): Running {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [...nodeFlags, file], {
    cwd,
    env: { ...env, [supervisedVariable]: 'true' },
    stdio: ['ignore', log, 'pipe', 'ipc'],
  });
  closeSync(log);
  children.add(child);
  if (child.stderr) createInterface({ input: child.stderr }).on('line', onAlert);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
  return { exited, stop: (graceMs) => stopChild(child, exited, graceMs) };
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
