import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from '@jest/globals';

type Line = { pid?: number; msg?: string; death?: string };

const supervisors: ChildProcess[] = [];

/** A supervisor process with one stand-in app; `next` gives its lines one by one. */
function startSupervisor(env: Record<string, string> = {}) {
  const supervisor = spawn(process.execPath, [join(import.meta.dirname, 'stand-in.supervisor.ts')], {
    env: { ...process.env, HEALTH_PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  supervisors.push(supervisor);
  const lines = createInterface({ input: supervisor.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as Line;
  const nextPid = async () => {
    for (;;) {
      const { msg, pid } = await next();
      if (msg === 'up' && pid !== undefined) return pid;
    }
  };
  return { supervisor, next, nextPid };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function waitUntilGone(pid: number): Promise<number> {
  const startedAt = performance.now();
  while (isAlive(pid)) {
    if (performance.now() - startedAt > 30_000) throw new Error(`process ${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - startedAt;
}

describe('supervision', () => {
  afterEach(() => {
    supervisors.splice(0).forEach((supervisor) => supervisor.kill('SIGKILL'));
  });

  it('brings an app back after kill -9, later with each death', async () => {
    const { next, nextPid } = startSupervisor();
    const first = await nextPid();
    process.kill(first, 'SIGKILL');
    expect(await next()).toEqual({ death: 'ended by SIGKILL' });
    const diedAt = performance.now();
    const second = await nextPid();
    expect(second).not.toBe(first);
    expect(performance.now() - diedAt).toBeGreaterThan(450);
    process.kill(second, 'SIGKILL');
    const diedAgainAt = performance.now();
    await nextPid();
    expect(performance.now() - diedAgainAt).toBeGreaterThan(950);
  });

  it('leaves no app behind when the supervisor gets kill -9, even one with much to drain', async () => {
    const { supervisor, nextPid } = startSupervisor({ DRAIN_MS: '60000', SHUTDOWN_SECONDS: '60' });
    const pid = await nextPid();
    supervisor.kill('SIGKILL');
    expect(await waitUntilGone(pid)).toBeLessThan(20_000);
  });

  it('shows what a wrong setting was', async () => {
    const { supervisor } = startSupervisor({ DRAIN_MS: 'long' });
    supervisor.stdout?.removeAllListeners();
    const [chunk] = (await once(supervisor.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    expect(chunk.toString()).toContain('stand-in: Wrong setting: DRAIN_MS (expected a whole number from 0 to 60000).');
  });
});
