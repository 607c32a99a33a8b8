import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addJitterMs, exponentialBackoffMs } from './backoff.ts';

const attempt = fc.integer({ min: 1, max: 1_000_000 });
const base = fc.integer({ min: 1, max: 60_000 });
const max = fc.integer({ min: 60_000, max: 86_400_000 });

describe('exponentialBackoffMs', () => {
  it('starts at the base and doubles', () => {
    expect([1, 2, 3, 4, 5].map((tries) => exponentialBackoffMs(tries, 500, 30_000))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000,
    ]);
  });

  it('stays finite, between base and maximum, and never shrinks from try to try', () => {
    fc.assert(
      fc.property(attempt, base, max, (tries, baseMs, maxMs) => {
        const delay = exponentialBackoffMs(tries, baseMs, maxMs);
        expect(delay).toBeGreaterThanOrEqual(baseMs);
        expect(delay).toBeLessThanOrEqual(maxMs);
        expect(exponentialBackoffMs(tries + 1, baseMs, maxMs)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });

  it('reaches the maximum and stays there', () => {
    expect(exponentialBackoffMs(7, 500, 30_000)).toBe(30_000);
    expect(exponentialBackoffMs(100_000, 500, 30_000)).toBe(30_000);
  });
});

describe('addJitterMs', () => {
  it('is never earlier than the delay and adds at most its ratio, in whole milliseconds', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(max, fc.double({ min: 0, max: 1, noNaN: true }), random, (delayMs, ratio, drawn) => {
        const delayed = addJitterMs(delayMs, ratio, () => drawn);
        expect(Number.isInteger(delayed)).toBe(true);
        expect(delayed).toBeGreaterThanOrEqual(delayMs);
        expect(delayed).toBeLessThanOrEqual(Math.ceil(delayMs * (1 + ratio)));
      }),
    );
  });

  it('spreads equal delays', () => {
    const delays = new Set(Array.from({ length: 50 }, () => addJitterMs(100_000, 0.2)));
    expect(delays.size).toBeGreaterThan(10);
  });
});
