import { describe, expect, it } from '@jest/globals';
import { againstYardstick } from './yardstick.ts';

describe('againstYardstick', () => {
  it('compares the median of the rounds with the median of what was measured before each of them', () => {
    const against = { name: 'requests that write nothing', rate: 1_000 };
    expect(againstYardstick([90, 100, 400], [800, 1_000, 3_000])).toEqual({ rate: 100, against });
  });
});
