// What every suite of the contract tests gets and gives, and how it runs a foreign tool.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Counts } from '../npm-test/test-plan.ts';

export type Target = {
  baseUrl: string;
  apiKey: string;
  documentFile: string;
  /** The suite's own folder, empty at the start. What is written there stays for whoever looks into a failure. */
  folder: string;
  /** Settings of the system that a client has to know: OAuth client, first admin. */
  env: Readonly<Record<string, string>>;
};

export type Suite = {
  name: string;
  what: string;
  /** Proves again what another one proves, or takes minutes: run with `--all` or by its name. */
  isForReleases?: boolean;
  run(target: Target): Promise<Counts>;
};

export const contractFolder = import.meta.dirname;
export const repoFolder = resolve(contractFolder, '../..');
export const toolFile = (path: string): string => resolve(contractFolder, 'node_modules', path);

/** None of the tools may report usage or look for updates. */
const quietEnv = {
  DO_NOT_TRACK: '1',
  SCARF_ANALYTICS: 'false',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
};

export type Ended = { code: number; output: string };
type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number };

/** Runs a tool to its end. A tool that takes too long is ended: code 124. */
export function runTool(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd = repoFolder, env = {}, timeoutMs = 120_000 } = options;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...quietEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4_000_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      done({ code: signal ? 124 : (code ?? 1), output });
    });
  });
}

export const runScript = (path: string, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  runTool(process.execPath, ['--disable-warning=ExperimentalWarning', toolFile(path), ...args], options);

/** One check that passed or failed; what a failure has to say is printed. */
export function oneCheck(isMet: boolean, output: string): Counts {
  if (!isMet) process.stdout.write(`${output.trim()}\n`);
  return { passed: isMet ? 1 : 0, failed: isMet ? 0 : 1, skipped: 0 };
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** A program of the machine is not there: loud outside CI, a failure inside. */
export function missing(program: string): Counts {
  const isCi = Boolean(process.env.CI) && process.env.CI !== 'false';
  return { ...notRun(`${program} is not on PATH`), failed: isCi ? 1 : 0 };
}

/** Loud, and no failure: the suite needs something that a machine may lack. */
export function notRun(reason: string): Counts {
  const line = `${reason}: THIS SUITE WAS NOT RUN`;
  process.stdout.write(`${'!'.repeat(line.length + 8)}\n!!! ${line} !!!\n${'!'.repeat(line.length + 8)}\n`);
  return { passed: 0, failed: 0, skipped: 1 };
}
