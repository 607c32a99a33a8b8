import { describe, expect, it } from '@jest/globals';
import { BudgetExceeded, createBudgetedThread } from './budgeted-thread.ts';

/** A thread that spins for ever, sleeps, fills its memory, fails or responds, as requested. */
const source = `
  import { parentPort } from 'node:worker_threads';
  const kept = [];
  parentPort.on('message', (request) => {
    while (request === 'spin') {}
    while (request === 'fill') kept.push(Array.from({ length: 10_000 }, Math.random));
    if (request === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    if (request === 'fail') throw new Error('as asked');
    parentPort.postMessage('response to ' + request);
  });`;
const entry = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
/** More than it takes to start a thread on a slow machine, and less than the thread sleeps. */
const thread = (processorMs = 400) => createBudgetedThread<string, string>(entry, { processorMs, memoryMb: 32 });

describe('a thread with a budget', () => {
  it('is ended by the processor time that it uses, and the next request gets its response', async () => {
    const { ask } = thread();
    await expect(ask('spin')).rejects.toThrow(BudgetExceeded);
    await expect(ask('more')).resolves.toBe('response to more');
  });

  it('is not ended by the time that passes, however busy others keep the machine', async () => {
    await expect(thread().ask('sleep')).resolves.toBe('response to sleep');
  });

  it('is ended by the memory that it fills', async () => {
    await expect(thread(60_000).ask('fill')).rejects.toThrow(BudgetExceeded);
  });

  it('passes on its own errors unchanged', async () => {
    const { ask } = thread();
    await expect(ask('fail')).rejects.toThrow('as asked');
    await expect(ask('more')).resolves.toBe('response to more');
  });
});
