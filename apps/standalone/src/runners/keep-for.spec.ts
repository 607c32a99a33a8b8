import { expect, it } from '@jest/globals';
import { keepFor } from './keep-for.ts';

it('a value is cached, also for callers during the read', async () => {
  let reads = 0;
  const kept = keepFor(60_000, async () => (reads += 1));
  const both = Promise.all([kept.read(), kept.read()]);
  expect([kept.isReading(), kept.latest()]).toEqual([true, undefined]);
  expect([await both, await kept.read(), kept.latest(), kept.isReading()]).toEqual([[1, 1], 1, 1, false]);
});

it('an expired value is read again, and a failed read is not retried at once', async () => {
  let reads = 0;
  const old = keepFor(0, async () => (reads += 1));
  expect([await old.read(), await old.read()]).toEqual([1, 2]);
  const failing = keepFor(60_000, () => Promise.reject(new Error(`no ${(reads += 1)}`)));
  await expect(failing.read()).rejects.toThrow('no 3');
  await expect(failing.read()).rejects.toThrow('no 3');
});
