import { describe, expect, it } from '@jest/globals';
import { BudgetExceeded, createBudgetedThread } from './budgeted-thread.ts';

/** A thread that does what it is asked: spin for ever, sleep, fill its memory, fail or answer. */
const source = `
  import { parentPort } from 'node:worker_threads';
  const kept = [];
  parentPort.on('message', (question) => {
    while (question === 'spin') {}
    while (question === 'fill') kept.push(Array.from({ length: 10_000 }, Math.random));
    if (question === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
    if (question === 'fail') throw new Error('as asked');
    parentPort.postMessage('answer to ' + question);
  });`;
const entry = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
const thread = (processorMs = 200) => createBudgetedThread<string, string>(entry, { processorMs, memoryMb: 32 });

describe('a thread with a budget', () => {
  it('is ended by the processor time that it uses, and the next question is answered', async () => {
    const { ask } = thread();
    await expect(ask('spin')).rejects.toThrow(BudgetExceeded);
    await expect(ask('more')).resolves.toBe('answer to more');
  });

  it('is not ended by the time that passes, however busy others keep the machine', async () => {
    await expect(thread(50).ask('sleep')).resolves.toBe('answer to sleep');
  });

  it('is ended by the memory that it fills', async () => {
    await expect(thread(60_000).ask('fill')).rejects.toThrow(BudgetExceeded);
  });

  it('gives its own errors as they are', async () => {
    const { ask } = thread();
    await expect(ask('fail')).rejects.toThrow('as asked');
    await expect(ask('more')).resolves.toBe('answer to more');
  });
});
