import { expect, it } from '@jest/globals';
import { findFreePort, findFreePorts } from './free-ports.ts';

it('ports that were found are not found again before they are used', async () => {
  const firsts = await Promise.all(Array.from({ length: 100 }, () => findFreePorts(7)));
  const single = await Promise.all(Array.from({ length: 30 }, () => findFreePort()));
  const found = [...firsts.flatMap((first) => Array.from({ length: 7 }, (_, index) => first + index)), ...single];
  expect(new Set(found).size).toBe(730);
});
