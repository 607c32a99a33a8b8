// A runner as users start it.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { residentMemory } from '@eas/testing/resident-memory';

const bootstrap = resolve(import.meta.dirname, '../bootstrap.mjs');

export type Runner = { child: ChildProcess; log(): string; hasEnded(): boolean; mostMegabytes(): number };

export async function endRunner({ child, hasEnded }: Runner, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded()) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

export function startRunner(args: readonly string[], env: Record<string, string>): Runner {
  const flags = ['--check', '1', '--grace', '5', '--rounds', '2'];
  const child = spawn(process.execPath, [bootstrap, 'eas', ...args, ...flags], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-100_000)));
  let most = 0;
  const measuring = setInterval(() => (most = Math.max(most, residentMemory(child.pid ?? 0).now)), 1_000);
  child.once('exit', () => clearInterval(measuring));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return { child, log: () => log, hasEnded, mostMegabytes: () => most };
}
