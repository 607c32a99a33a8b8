import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import { splitLines } from './split-lines.ts';
import { type Command, startCommand } from './start-command.ts';

const start = (line: string, graceSeconds = 60) =>
  startCommand({ line, folder: tmpdir(), env: process.env, graceSeconds });

async function firstLine({ stdout }: Pick<Command, 'stdout'>): Promise<string> {
  for await (const [line = ''] of splitLines(stdout.iterator({ destroyOnReturn: false }))) return line;
  return '';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a command', () => {
  it('receives lines on its stdin, and ends with its own code', async () => {
    const command = start('read line; echo "got $line"; exit 3');
    expect(await command.say({ a: 1 })).toBe(true);
    expect(await firstLine(command)).toBe('got {"a":1}');
    expect(await command.ended).toEqual({ code: 3, signal: null });
    expect(await command.say({ late: true })).toBe(false);
  });

  it('is killed with all that it started', async () => {
    const command = start('sleep 60 & echo $!; wait');
    const grandchild = Number(await firstLine(command));
    command.kill();
    expect(await command.ended).toEqual({ code: null, signal: 'SIGTERM' });
    await eventually(() => !isAlive(grandchild));
  });

  it('is killed the hard way when it does not listen', async () => {
    const command = start(`trap '' TERM; echo ready; while :; do sleep 0.05; done`, 0.2);
    await firstLine(command);
    command.kill();
    expect(await command.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('leaves nothing behind when it ends by itself', async () => {
    const command = start('sleep 60 >/dev/null 2>&1 & echo $!');
    const left = Number(await firstLine(command));
    await command.ended;
    await eventually(() => !isAlive(left));
  });

  it('ends although a program that left its group holds its output open', async () => {
    // It ends once the other one has left.
    const command = start('setsid sh -c "echo \\$\\$; exec sleep 60" & read line');
    const left = Number(await firstLine(command));
    await command.say({});
    expect(await command.ended).toEqual({ code: 0, signal: null });
    process.kill(left, 'SIGKILL');
  });

  it('that kills its own group has ended by a signal', async () => {
    expect(await start('kill -9 0; sleep 60').ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('that cannot be started says why', async () => {
    const parts = { line: 'true', folder: '/nowhere', env: process.env, graceSeconds: 1 };
    await expect(startCommand(parts).ended).rejects.toThrow('ENOENT');
  });

  it.each([
    ['it', ''],
    ['what has left its group', 'setsid '],
  ])('does not outlive its runner, however that one dies: %s', async (_, before) => {
    const module = join(import.meta.dirname, 'start-command.ts');
    const program = `
      import { startCommand } from ${JSON.stringify(module)};
      const line = "${before}sh -c 'trap : TERM; echo $$; while :; do sleep 0.05; done'";
      startCommand({ line, folder: '/', env: process.env, graceSeconds: 0.2 }).stdout.pipe(process.stdout);`;
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program];
    const runner = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    const orphan = Number(await firstLine(runner));
    expect(isAlive(orphan)).toBe(true);
    runner.kill('SIGKILL');
    await eventually(() => !isAlive(orphan));
  });
});
