import { describe, expect, it } from '@jest/globals';
import { createDestinationPaces, type Timed } from './destination-pace.ts';
import { slowMs } from './transport.ts';

const attempt = (durationMs: number): Timed => ({ durationMs });
const [quick, slow] = [[attempt(5)], [attempt(5), attempt(slowMs + 1)]];

/** Batches for the destination that may be sent at the same time, counted up to 9; none of them stays. */
function capOf(paces: ReturnType<typeof createDestinationPaces>, destination: string): number {
  const leaves: ((attempts: readonly Timed[]) => void)[] = [];
  for (let leave = paces.tryEnter(destination); leave; leave = paces.tryEnter(destination)) {
    leaves.push(leave);
    if (leaves.length === 9) break;
  }
  for (const leave of leaves) leave([]);
  return leaves.length;
}

describe('the pace of a destination', () => {
  it('is unlimited; the first slow batch reduces it to two at a time, the next to one, and each quick one adds one', () => {
    const paces = createDestinationPaces(4);
    const caps = [slow, slow, slow, quick, quick, quick, quick].map((attempts) => {
      paces.tryEnter('slow')?.(attempts);
      return capOf(paces, 'slow');
    });
    expect(caps).toEqual([2, 1, 1, 2, 3, 9, 9]);
  });

  it('is separate for each destination', () => {
    const paces = createDestinationPaces(4);
    paces.tryEnter('slow')?.(slow);
    expect([paces.isSlow('slow'), paces.isSlow('other'), capOf(paces, 'other')]).toEqual([true, false, 9]);
  });

  it('does not change for a batch without attempts', () => {
    const paces = createDestinationPaces(4);
    paces.tryEnter('slow')?.(slow);
    paces.tryEnter('slow')?.([]);
    expect(capOf(paces, 'slow')).toBe(2);
  });
});
