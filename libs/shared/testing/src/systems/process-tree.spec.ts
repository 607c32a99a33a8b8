import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { endDescendantsOnSignal, signalProcess } from './process-tree.ts';

const module = join(import.meta.dirname, 'process-tree.ts');

/** A tool that has started `sleep` in a session of its own and needs a moment to stop. */
const tool = `
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ${endDescendantsOnSignal.name} } from ${JSON.stringify(module)};
${endDescendantsOnSignal.name}(() => sleep(300));
console.log(spawn('sleep', ['600'], { detached: true }).pid);
setInterval(() => {}, 1_000);
`;

describe('a tool that is interrupted', () => {
  it.each([
    ['by SIGTERM', ['SIGTERM']],
    ['by Ctrl-C, which npm passes on once more', ['SIGINT', 'SIGINT']],
    ['by different signals', ['SIGINT', 'SIGTERM', 'SIGHUP']],
  ] as const)('ends what it has started, and itself with 130: %s', async (_, signals) => {
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', tool];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const started = Number(line.toString());
    expect(signalProcess(started, 0)).toBe(true);

    const ended = once(child, 'close');
    for (const signal of signals) {
      child.kill(signal);
      await new Promise((done) => setTimeout(done, 20));
    }

    expect(await ended).toEqual([130, null]);
    await eventually(() => !signalProcess(started, 0));
  });
});
