import { expect, it } from '@jest/globals';
import { waitForAll } from './wait-for-all.ts';

it('gives the results in their order', async () => {
  expect(await waitForAll([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
});

it('throws the first error when the others have ended too', async () => {
  const slow = Promise.withResolvers<string>();
  let isEnded = false;
  const first = Promise.reject(new Error('first'));
  const all = waitForAll([first, slow.promise]).finally(() => (isEnded = true));
  await first.catch(() => {});
  await new Promise(setImmediate);
  expect(isEnded).toBe(false);
  slow.resolve('late');
  await expect(all).rejects.toThrow('first');
});
