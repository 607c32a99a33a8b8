import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPace } from './pace.ts';

function scene(perSecond: number, burst: number) {
  let now = 0;
  const pace = createPace({ perSecond, burst, nowMs: () => now });
  return { ...pace, pass: (ms: number) => void (now += ms), now: () => now };
}

describe('a pace', () => {
  it('admits the burst at once, and spreads the rest', () => {
    const { take } = scene(10, 3);
    expect([1, 2, 3, 4, 5].map(() => take('tnt_1', 1))).toEqual([0, 0, 0, 100, 200]);
  });

  it('is separate for each key', () => {
    const { take } = scene(10, 1);
    expect([take('tnt_1', 1), take('tnt_1', 1), take('tnt_2', 1)]).toEqual([0, 100, 0]);
  });

  it('refills the burst while the key is idle, and never more', () => {
    const { take, pass } = scene(10, 2);
    for (let call = 0; call < 2; call += 1) take('tnt_1', 1);
    pass(1_000_000);
    expect([1, 2, 3].map(() => take('tnt_1', 1))).toEqual([0, 0, 100]);
  });

  it('returns what a key would wait without booking anything', () => {
    const { take, waitMs } = scene(10, 1);
    take('tnt_1', 3);
    expect([waitMs('tnt_1'), waitMs('tnt_1'), waitMs('tnt_2')]).toEqual([200, 200, 0]);
  });

  it('admits in any second at most the burst and the rate of one second', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), gaps, (perSecond, burst, waits) => {
        const { take, pass, now } = scene(perSecond, burst);
        const starts = waits.map((ms) => (pass(ms), now() + take('tnt_1', 1)));
        for (const start of starts) {
          const within = starts.filter((at) => at >= start && at < start + 1_000).length;
          expect(within).toBeLessThanOrEqual(burst + perSecond + 1);
        }
      }),
    );
  });

  it('forgets idle keys', () => {
    const { take, pass } = scene(10, 1);
    for (let key = 0; key < 5_000; key += 1) {
      take(`tnt_${key}`, 2);
      pass(1);
    }
    expect(take('tnt_0', 1)).toBe(0);
    expect(take('tnt_4999', 1)).toBeGreaterThan(0);
  });
});
