import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createCollector } from './collector.ts';

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function open({ fails = false, isPatient = false } = {}) {
  const writes: (readonly number[])[] = [];
  const write = (items: readonly number[]) => {
    writes.push(items);
    return fails ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  const collector = createCollector<number>({ write, onLost: () => {}, intervalMs: 50, isPatient });
  return { writes, collector, add: (key: string) => collector.note(key, (noted = 0) => noted + 1) };
}

describe('a collector', () => {
  it('writes the first item at once, and what follows in an interval together, in the order of the keys', async () => {
    const { writes, add } = open();
    for (const key of ['c', 'b', 'a', 'b']) add(key);
    await pass(1);
    expect(writes).toEqual([[1]]);
    await pass(60);
    expect(writes).toEqual([[1], [1, 2]]);
    await pass(200);
    expect(writes).toHaveLength(2);
  });

  it('that is patient writes nothing before an interval has passed', async () => {
    const { writes, add } = open({ isPatient: true });
    for (const key of ['b', 'a', 'b']) add(key);
    await pass(40);
    expect(writes).toEqual([]);
    await pass(20);
    expect(writes).toEqual([[1, 2]]);
  });

  it('writes the remaining items when it closes, and goes on after a failed write', async () => {
    const { writes, collector, add } = open({ fails: true });
    add('a');
    add('a');
    await collector.close();
    expect(writes).toEqual([[1], [1]]);
  });

  it('knows which items are not written yet', async () => {
    const { collector, add } = open();
    add('a');
    add('b');
    expect([collector.has('a'), collector.has('b')]).toEqual([false, true]);
    await collector.close();
    expect(collector.has('b')).toBe(false);
  });
});
