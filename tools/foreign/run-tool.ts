// Runs third-party programs: their location, forbidden network access, and time limits.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const repoFolder = resolve(import.meta.dirname, '../..');
/** Only third-party tools are installed here, so that the service's own packages stay few. */
export const contractFolder = resolve(repoFolder, 'tools/contract');
export const toolFile = (path: string): string => resolve(contractFolder, 'node_modules', path);

/** No tool may report usage or check for updates. */
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

/** What a tool printed as JSON. Throws, with what it printed, when that is something else. */
export function parseReport<T>(tool: string, output: string): T {
  try {
    return JSON.parse(output) as T;
  } catch {
    throw new Error(`${tool} printed no report:\n${output.slice(-2_000)}`);
  }
}

export const runScript = (path: string, args: readonly string[], options?: RunOptions): Promise<Ended> =>
  runTool(process.execPath, ['--disable-warning=ExperimentalWarning', toolFile(path), ...args], options);
