import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { hangMs } from '@eas/testing/eventually';
import { type JoinedSystem, joinSharedSystem } from '@eas/testing/shared-system';

const main = resolve(import.meta.dirname, '../src/main.ts');

let roles = 0;
/** One that no other test of the file has. */
export const newRole = (): string => `runner-${(roles += 1)}`;

/** Reads one line of its stdin into a variable of the shell. */
export const readInto = (name: string): string => `read -r ${name}`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- responses are walked freely, as a client would
export type Json = any;

/**
 * A tenant of a real system, and runners that end with the test. Leases are as long as they are by default, so that a slow
 * machine ends none; `leaseSeconds` is for tests in which they end.
 */
export function useRunners({ leaseSeconds }: { leaseSeconds?: number } = {}) {
  let system: JoinedSystem;
  let workspace = '';
  const runners = new Set<Runner>();
  beforeAll(async () => {
    workspace = mkdtempSync(join(tmpdir(), 'eas-runner-'));
    system = await joinSharedSystem(leaseSeconds === undefined ? {} : { LEASE_SECONDS: String(leaseSeconds) });
  });
  afterEach(async () => {
    for (const runner of runners) await runner.end('SIGKILL');
    runners.clear();
  });
  afterAll(async () => {
    await system?.stop();
    rmSync(workspace, { recursive: true, force: true });
  });

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Json }> {
    const response = await fetch(`${system.baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': system.apiKey, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 503) return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    // A busy machine may be more than the service takes at once.
    await sleep(500);
    return call(method, path, body);
  }

  return {
    call,
    apiKey: () => system.apiKey,
    get: async (path: string): Promise<Json> => (await call('GET', path)).body,
    async addTask(role: string, more: object = {}): Promise<Json> {
      const body = { title: 'Work', description: 'Do it.', assigned_role: role, ...more };
      return (await call('POST', '/v1/tasks', body)).body;
    },
    /** Waits for the task to be so. */
    async untilTask(id: string, isSo: (task: Json) => boolean, timeoutMs = hangMs): Promise<Json> {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const { body } = await call('GET', `/v1/tasks/${id}`);
        if (isSo(body)) return body;
        if (performance.now() > deadline)
          throw new Error(
            `the task stays ${JSON.stringify(body)}\n${[...runners].map((runner) => runner.log()).join('\n')}`,
          );
        await sleep(50);
      }
    },
    /** Entries of the task's timeline of one kind. */
    async timeline(id: string, type: string): Promise<Json[]> {
      const { data } = (await call('GET', `/v1/tasks/${id}/timeline?limit=100&sort=seq`)).body;
      return data.filter((entry: Json) => entry.type === type);
    },
    /** Later flags and variables replace earlier ones. `exec`: undefined where the flags name another agent. */
    start(role: string, exec: string | undefined, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Runner {
      const program = exec === undefined ? [] : ['--exec', exec];
      const args = ['--role', role, ...program, '--url', system.baseUrl, '--workspace', workspace];
      const ownEnv = { ...process.env, API_KEY: system.apiKey, ...env };
      const runner = startRunner([...args, '--check', '0.5', '--grace', '1', ...flags], ownEnv);
      runners.add(runner);
      return runner;
    },
    /** `waits`: a command that goes on once the test lets it, however slow the machine. */
    gate() {
      const file = join(workspace, `gate-${newRole()}`);
      return { waits: `until [ -e ${file} ]; do sleep 0.1; done`, open: () => writeFileSync(file, '') };
    },
    workspace: () => workspace,
    baseUrl: () => system.baseUrl,
    fileOf: (taskId: string, name: string) => readFileSync(join(workspace, taskId, name), 'utf8'),
  };
}

export type Runner = ReturnType<typeof startRunner>;

function startRunner(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', main, 'agent', 'start', ...args],
    {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const reports: unknown[] = [];
  child.on('message', (message) => reports.push(message));
  return {
    log: () => log,
    ended,
    /** What it has sent to the program that started it. */
    reports: () => reports,
    send: (message: object) => void child.send(message),
    disconnect: () => child.disconnect(),
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}

/** A zombie process counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
