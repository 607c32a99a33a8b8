import { slowMs } from '@eas/outbound';
import { describe, expect, it } from '@jest/globals';
import type { Attempt } from './verdict.ts';
import { createEndpointPaces } from './endpoint-pace.ts';

const attempt = (durationMs: number) => ({ result: { durationMs } }) as Attempt;
const [quick, slow] = [[attempt(5)], [attempt(5), attempt(slowMs + 1)]];

/** Jobs of the endpoint that may work at the same time, counted up to 9; none of them stays. */
function capOf(paces: ReturnType<typeof createEndpointPaces>, endpointId: string): number {
  const leaves: ((attempts: readonly Attempt[]) => void)[] = [];
  for (let leave = paces.tryEnter(endpointId); leave; leave = paces.tryEnter(endpointId)) {
    leaves.push(leave);
    if (leaves.length === 9) break;
  }
  for (const leave of leaves) leave([]);
  return leaves.length;
}

describe('the pace of an endpoint', () => {
  it('is unlimited; the first slow job reduces it to two jobs at a time, the next to one, and each quick job adds one', () => {
    const paces = createEndpointPaces();
    const caps = [slow, slow, slow, quick, quick, quick, quick].map((attempts) => {
      paces.tryEnter('slow')?.(attempts);
      return capOf(paces, 'slow');
    });
    expect(caps).toEqual([2, 1, 1, 2, 3, 9, 9]);
  });

  it('is separate for each endpoint', () => {
    const paces = createEndpointPaces();
    paces.tryEnter('slow')?.(slow);
    expect([paces.isSlow('slow'), paces.isSlow('other'), capOf(paces, 'other')]).toEqual([true, false, 9]);
  });

  it('does not change for a job without attempts', () => {
    const paces = createEndpointPaces();
    paces.tryEnter('slow')?.(slow);
    paces.tryEnter('slow')?.([]);
    expect(capOf(paces, 'slow')).toBe(2);
  });
});
