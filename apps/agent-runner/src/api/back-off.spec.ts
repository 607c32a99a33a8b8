import { describe, expect, it } from '@jest/globals';
import { delayMs } from './back-off.ts';

const even = () => 0;

describe('the pause between two tries', () => {
  it('doubles up to its longest', () => {
    const pauses = [1, 2, 3, 4, 100].map((tries) => delayMs({ tries, maxMs: 3_000 }, even));
    expect(pauses).toEqual([500, 1_000, 2_000, 3_000, 3_000]);
  });

  it('is never shorter than what the service asks for, however long', () => {
    expect(delayMs({ tries: 1, retryAfterMs: 60_000, maxMs: 3_000 }, even)).toBe(60_000);
  });

  it('is spread by a fifth, upwards', () => {
    expect(delayMs({ tries: 1, maxMs: 3_000 }, () => 1)).toBe(600);
  });
});
