import { spawn } from 'node:child_process';
import { createTail } from '../command/output-tail.ts';
import { endOfGroup, signalGroup } from '../command/process-group.ts';
import { TaskFailure } from '../task-failure.ts';
import type { Env } from '../key/env.ts';

/** `isCut`: there was more than was asked for, and git was stopped. */
export type GitRun = { code: number | null; stdout: string; stderr: string; isCut: boolean };

type RunOptions = {
  cwd?: string;
  env: Env;
  /** Written to its stdin. */
  input?: string;
  /** More output than that stops it; 16 MiB. */
  maxBytes?: number;
};

const [defaultMaxBytes, maxErrorBytes, graceMs] = [16 * 1024 * 1024, 8 * 1024, 5_000];

/** Runs git as a process group of its own, to its end. `ending` aborts: it is stopped. */
export async function runGit(args: readonly string[], options: RunOptions, ending: AbortSignal): Promise<GitRun> {
  const { cwd, env, input = '', maxBytes = defaultMaxBytes } = options;
  const child = spawn('git', args, { cwd, env, detached: true, stdio: 'pipe' });
  const ended = endOfGroup(child);
  const chunks: Buffer[] = [];
  const errors = createTail(maxErrorBytes);
  let [length, isCut] = [0, false];
  let killTimer: NodeJS.Timeout | undefined;
  const kill = () => {
    if (child.pid === undefined || killTimer) return;
    signalGroup(child.pid, 'SIGTERM');
    killTimer = setTimeout(signalGroup, graceMs, child.pid, 'SIGKILL');
  };
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxBytes) return chunks.push(chunk);
    isCut = true;
    return kill();
  });
  child.stderr.on('data', errors.add);
  child.stdin.on('error', () => {}).end(input);
  ending.addEventListener('abort', kill, { once: true });
  try {
    const { code } = await ended.catch(cannotStart);
    return { code, stdout: Buffer.concat(chunks).toString('utf8'), stderr: errors.text(), isCut };
  } finally {
    clearTimeout(killTimer);
    ending.removeEventListener('abort', kill);
  }
}

function cannotStart(error: Error): never {
  throw new TaskFailure(`git cannot be started on the machine of the runner: ${error.message}`, true);
}
