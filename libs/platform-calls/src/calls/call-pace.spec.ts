import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { paceOf, ranks } from './call-pace.ts';

/** Makes calls at the moments, as far as the pace allows; gives when they were made. */
function made(gaps: readonly number[], rankOf: (index: number) => number): number[] {
  let [now, slotAt] = [0, 0];
  const times: number[] = [];
  gaps.forEach((gap, index) => {
    now += gap;
    const pace = paceOf({ now, slotAt }, rankOf(index));
    if (!pace.mayCall) return;
    times.push(now);
    slotAt = pace.slotAt;
  });
  return times;
}

describe('the pace of calls', () => {
  it('allows at most 100 in any minute, whenever they are wanted', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 })), { maxLength: 600 });
    fc.assert(
      fc.property(gaps, (all) => {
        const times = made(all, () => ranks.write);
        for (const [index, at] of times.entries())
          expect(times.slice(index).filter((other) => other < at + 60_000).length).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('allows 100 in a minute that is used from its start', () => {
    const times = made(
      Array.from({ length: 600 }, () => 100),
      () => ranks.write,
    );
    expect(times.filter((at) => at < 60_100).length).toBeGreaterThanOrEqual(98);
  });

  it('leaves calls for writing while much is read', () => {
    const gaps = Array.from({ length: 30 }, () => 0);
    expect(made(gaps, () => ranks.read)).toHaveLength(10);
    expect(made(gaps, (index) => (index < 20 ? ranks.page : ranks.write))).toHaveLength(20);
  });

  it('says when the next call may be made', () => {
    const slotAt = 20 * 750;
    const pace = paceOf({ now: 0, slotAt }, ranks.write);
    expect(pace).toEqual({ mayCall: false, at: 750 });
    expect(paceOf({ now: 750, slotAt }, ranks.write)).toMatchObject({ mayCall: true });
  });
});
