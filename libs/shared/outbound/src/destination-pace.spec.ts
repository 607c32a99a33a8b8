import { describe, expect, it } from '@jest/globals';
import { createDestinationPaces } from './destination-pace.ts';

const [quick, slow] = [false, true];

/** Batches for the destination that may be sent at the same time, counted up to 9; none of them stays. */
function capOf(paces: ReturnType<typeof createDestinationPaces>, destination: string): number {
  const leaves: (() => void)[] = [];
  for (let leave = paces.tryEnter(destination); leave; leave = paces.tryEnter(destination)) {
    leaves.push(leave);
    if (leaves.length === 9) break;
  }
  for (const leave of leaves) leave();
  return leaves.length;
}

describe('the pace of a destination', () => {
  it('is unlimited; the first slow batch reduces it to two at a time, the next to one, and each quick one adds one', () => {
    const paces = createDestinationPaces(4);
    const caps = [slow, slow, slow, quick, quick, quick, quick].map((isSlow) => {
      paces.tryEnter('slow')?.(isSlow);
      return capOf(paces, 'slow');
    });
    expect(caps).toEqual([2, 1, 1, 2, 3, 9, 9]);
  });

  it('is separate for each destination', () => {
    const paces = createDestinationPaces(4);
    paces.tryEnter('slow')?.(slow);
    expect([paces.isSlow('slow'), paces.isSlow('other'), capOf(paces, 'other')]).toEqual([true, false, 9]);
  });

  it('does not change for a batch without requests', () => {
    const paces = createDestinationPaces(4);
    paces.tryEnter('slow')?.(slow);
    paces.tryEnter('slow')?.();
    expect(capOf(paces, 'slow')).toBe(2);
  });
});
