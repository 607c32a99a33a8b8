import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '../..');
const double = join(root, 'apps/agent-runner/src/acp/double.fixture.ts');
const startSeconds = 60;

export type Runner = { pid: number; untilWorking(tasks: number): Promise<void>; end(): Promise<void> };

export type RunnerParts = {
  url: string;
  apiKey: string;
  role: string;
  /** How many it has at the same time. */
  agents: number;
  /** What the agents do, which are played. */
  script: string;
  workspace: string;
};

/** A folder for runners that follow one another. */
export const makeWorkspace = (): string => mkdtempSync(join(tmpdir(), 'eas-bench-runner-'));
export const removeWorkspace = (path: string): void => rmSync(path, { recursive: true, force: true });

/** As users start it. */
const run = (apiKey: string, options: readonly string[]) =>
  spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), 'agent-runner', ...options], {
    env: { ...process.env, API_KEY: apiKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

/** The first start after a change of the sources transpiles them, which takes 30 MB more; a published runner never does. */
export async function transpileRunner({ url, apiKey }: Pick<RunnerParts, 'url' | 'apiKey'>): Promise<void> {
  const refused = ['--role', 'none', '--url', url, '--project', 'none', '--exec', 'true'];
  await once(run(apiKey, refused), 'exit');
}

export function startRunner({ url, apiKey, role, agents, script, workspace }: RunnerParts): Runner {
  const agent = `exec '${process.execPath}' '${double}' ${script}`;
  const options = ['--role', role, '--url', url, '--concurrency', String(agents), '--workspace', workspace];
  const child = run(apiKey, ['--acp', agent, ...options]);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    async untilWorking(tasks) {
      for (let waited = 0; waited < startSeconds * 10; waited += 1) {
        if (log.split('claimed: ').length > tasks) return;
        await sleep(100);
      }
      throw new Error(`the runner did not claim ${tasks} tasks:\n${log.slice(-2_000)}`);
    },
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
