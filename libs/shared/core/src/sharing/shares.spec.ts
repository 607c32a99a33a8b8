import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createShares } from './shares.ts';

const takeAll = (shares: ReturnType<typeof createShares>, key: string) => {
  const leaves = [];
  for (let leave = shares.tryTake(key); leave; leave = shares.tryTake(key)) leaves.push(leave);
  return leaves;
};

describe('shares', () => {
  it('leave slots free even if noisy keys, one after the other, hold all that they can take', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 500 }), fc.integer({ min: 1, max: 8 }), (total, keys) => {
        fc.pre(2 ** keys <= total);
        const shares = createShares(total);
        for (let key = 0; key < keys; key += 1) takeAll(shares, `noisy ${key}`);
        expect(shares.tryTake('quiet')).toBeDefined();
      }),
    );
  });

  it('become equal as slots change hands', () => {
    const [total, keys] = [60, 5];
    const shares = createShares(total);
    const held = Array.from({ length: keys }, (_, key) => takeAll(shares, `noisy ${key}`));
    for (let round = 0; round < 100; round += 1)
      for (const [key, leaves] of held.entries()) {
        leaves.pop()?.();
        for (const [other, more] of held.entries()) if (other !== key) more.push(...takeAll(shares, `noisy ${other}`));
      }
    const equal = total / (keys + 1);
    for (const slots of [total - shares.taken(), ...held.map(({ length }) => length)])
      expect(Math.abs(slots - equal)).toBeLessThanOrEqual(1);
  });

  it('give a key that is alone half of the slots, or its own maximum', () => {
    expect(takeAll(createShares(64), 'a')).toHaveLength(32);
    expect(takeAll(createShares(64, 10), 'a')).toHaveLength(10);
  });

  it('are free again when they are released', () => {
    const shares = createShares(2);
    const leave = shares.tryTake('a');
    expect([shares.tryTake('a'), shares.taken(), shares.taken('a')]).toEqual([undefined, 1, 1]);
    leave?.();
    expect([shares.taken(), shares.taken('a')]).toEqual([0, 0]);
  });
});
