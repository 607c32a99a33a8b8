import { expect, it } from '@jest/globals';
import { gatherIds } from './gather-ids.ts';

it('reads what is asked for at one moment with one call of up to 100 IDs, each once', async () => {
  const calls: (readonly string[])[] = [];
  const readOne = gatherIds(async (ids) => {
    calls.push(ids);
    return ids.filter((id) => id !== 'gone').map((id) => ({ id }));
  });
  expect(await Promise.all(['a', 'b', 'a', 'gone'].map(readOne))).toEqual([
    { id: 'a' },
    { id: 'b' },
    { id: 'a' },
    null,
  ]);
  await Promise.all(Array.from({ length: 101 }, (_, at) => readOne(`id ${at}`)));
  expect(calls.map(({ length }) => length)).toEqual([3, 100, 1]);
});

it('fails for those that were asked for together, and reads again for the next ones', async () => {
  let isDown = true;
  const readOne = gatherIds(async (ids) => {
    if (isDown) throw new Error('down');
    return ids.map((id) => ({ id }));
  });
  const outcomes = await Promise.allSettled([readOne('a'), readOne('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await readOne('a')).toEqual({ id: 'a' });
});
