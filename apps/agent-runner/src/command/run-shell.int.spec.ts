import { tmpdir } from 'node:os';
import { mostKeptBytes } from '@eas/testing/kept-memory';
import { describe, expect, it } from '@jest/globals';
import { runShell } from './run-shell.ts';

const run = (line: string, timeoutSeconds = 300, signal = new AbortController().signal) =>
  runShell({ line, folder: tmpdir(), env: process.env, graceSeconds: 0.2, timeoutSeconds, signal });

describe('a shell command', () => {
  it('gives its exit code, its time and the last of its output', async () => {
    const { seconds, ...rest } = await run('echo out; echo err >&2; exit 3');
    expect(rest).toEqual({ code: 3, signal: null, isTimedOut: false, tail: 'out\nerr\n' });
    expect(seconds).toBeGreaterThan(0);
  });

  it('is ended with all that it started when it takes too long', async () => {
    const { code, isTimedOut, seconds } = await run(`trap '' TERM; sleep 60 & wait; sleep 60`, 0.3);
    expect([code, isTimedOut]).toEqual([null, true]);
    expect(seconds).toBeLessThan(30);
  });

  it('may print 1 GB without taking the memory of it', async () => {
    const kept = await mostKeptBytes(async () => {
      const { tail, code } = await run('head -c 1000000000 /dev/zero; echo; echo the end');
      expect([code, tail]).toEqual([0, 'the end\n']);
    });
    expect(kept).toBeLessThan(200 * 1024 * 1024);
  });

  it('that kills its own group has failed by a signal', async () => {
    expect(await run('echo before; kill -9 0')).toMatchObject({ code: null, signal: 'SIGKILL', tail: 'before\n' });
  });

  it('is ended by the signal, which it throws', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(run('sleep 60', 60, controller.signal)).rejects.toThrow('enough');
  });
});
