import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';

type Line = { pid?: number; msg?: string; death?: string };

const supervisors: ChildProcess[] = [];

/** A supervisor process with one stand-in app; `nextLine` returns its lines one by one, `next` their contents. */
function startSupervisor(env: Record<string, string> = {}) {
  const supervisor = spawn(process.execPath, [join(import.meta.dirname, 'stand-in.supervisor.ts')], {
    env: { ...process.env, HEALTH_PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  supervisors.push(supervisor);
  const lines = createInterface({ input: supervisor.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string;
  const next = async () => JSON.parse(await nextLine()) as Line;
  const nextPid = async () => {
    for (;;) {
      const { msg, pid } = await next();
      if (msg === 'up' && pid !== undefined) return pid;
    }
  };
  return { supervisor, nextLine, next, nextPid };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Well before it could have drained. */
const waitUntilGone = (pid: number): Promise<void> => eventually(() => !isAlive(pid), 50_000);

describe('supervision', () => {
  afterEach(() => {
    supervisors.splice(0).forEach((supervisor) => supervisor.kill('SIGKILL'));
  });

  it('brings an app back after kill -9, again and again', async () => {
    const { next, nextPid } = startSupervisor();
    const first = await nextPid();
    process.kill(first, 'SIGKILL');
    expect(await next()).toEqual({ death: 'ended by SIGKILL' });
    const second = await nextPid();
    expect(second).not.toBe(first);
    process.kill(second, 'SIGKILL');
    expect(await next()).toEqual({ death: 'ended by SIGKILL' });
    expect(await nextPid()).not.toBe(second);
  });

  it('leaves no app behind when the supervisor gets kill -9, even one with much to drain', async () => {
    const { supervisor, nextPid } = startSupervisor({ DRAIN_MS: '60000', SHUTDOWN_SECONDS: '60' });
    const pid = await nextPid();
    supervisor.kill('SIGKILL');
    await waitUntilGone(pid);
  });

  it('shows what a wrong setting was', async () => {
    const { nextLine } = startSupervisor({ DRAIN_MS: 'long' });
    let line = await nextLine();
    // That it has ended may be reported before its last output.
    while (line.startsWith('{')) line = await nextLine();
    expect(line).toContain('stand-in: Invalid setting: DRAIN_MS (expected an integer from 0 to 60000).');
  });
});
