// What a process makes of files that have its settings, such as mounted Secrets, when they change.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'eas-settings-'));
const file = join(folder, 'drain-ms');
const apps: ChildProcess[] = [];

afterEach(() => apps.splice(0).forEach((app) => app.kill('SIGKILL')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** At once, as Kubernetes changes a mounted Secret. */
function write(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

type Line = { pid?: number; drainMs?: number; msg: string; reason?: string; err?: { message: string } };

function start() {
  const env = { PATH: process.env['PATH'], HEALTH_PORT: '0', DRAIN_MS_FILE: file };
  const app = spawn(process.execPath, [join(import.meta.dirname, 'stand-in.app.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  apps.push(app);
  const lines = createInterface({ input: app.stdout })[Symbol.asyncIterator]();
  /** The next line with this message, and all before it. */
  const until = async (msg: string): Promise<Line[]> => {
    const seen: Line[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`it ended after ${JSON.stringify(seen)}`);
      const line = JSON.parse(value as string) as Line;
      seen.push(line);
      if (line.msg === msg) return seen;
    }
  };
  const next = async (msg: string) => (await until(msg)).at(-1);
  return { app, until, next };
}

it('drains and starts again as the same process with the new settings', async () => {
  write('1');
  const { app, next } = start();
  expect(await next('up')).toMatchObject({ pid: app.pid, drainMs: 1 });
  write('2\n');
  expect(await next('shutting down')).toMatchObject({ reason: 'settings changed' });
  expect(await next('up')).toMatchObject({ pid: app.pid, drainMs: 2 });
  write('3');
  expect(await next('up')).toMatchObject({ pid: app.pid, drainMs: 3 });
});

it('goes on with the settings that it has when the new ones are wrong or cannot be read', async () => {
  write('1');
  const { app, until, next } = start();
  await next('up');
  for (const [change, problem] of [
    [() => write('some'), 'DRAIN_MS_FILE (expected an integer from 0 to 60000)'],
    [() => rmSync(file), 'DRAIN_MS_FILE (expected a file that can be read (ENOENT))'],
  ] as const) {
    change();
    const seen = await until('changed settings are not used');
    expect(seen.at(-1)?.err?.message).toContain(problem);
    expect(seen.map(({ msg }) => msg)).not.toContain('shutting down');
  }
  app.kill('SIGTERM');
  expect(await once(app, 'close')).toEqual([0, null]);
});

it('ends, and does not start again, when it is asked to while it drains for new settings', async () => {
  write('2000');
  const { app, next } = start();
  await next('up');
  write('2001');
  await next('shutting down');
  app.kill('SIGTERM');
  await expect(next('up')).rejects.toThrow('it ended');
});
