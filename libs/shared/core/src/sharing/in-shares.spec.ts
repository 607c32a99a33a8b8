import { afterEach, expect, it, jest } from '@jest/globals';
import { inShares } from './in-shares.ts';

afterEach(() => void jest.useRealTimers());

it('work done in batches covers a hundred items now, and all of them within a while', async () => {
  jest.useFakeTimers();
  const done: number[] = [];
  const all = Array.from({ length: 250 }, (_, n) => n);
  inShares(all, (n) => void done.push(n));
  expect(done).toHaveLength(100);
  await jest.advanceTimersByTimeAsync(20);
  expect(done).toHaveLength(200);
  await jest.advanceTimersByTimeAsync(20);
  expect(done).toEqual(all);
});
