import { describe, expect, it } from '@jest/globals';
import { doublingWaits, retryWaitMs } from './retry.ts';

const policy = { scheduleMs: [5_000, 60_000], random: () => 0 };

describe('the wait before another attempt', () => {
  it('is that of the schedule, and there is none after the last attempt', () => {
    expect([1, 2, 3].map((attempts) => retryWaitMs(policy, attempts))).toEqual([5_000, 60_000, undefined]);
  });

  it('is up to a fifth longer, so that what failed together is not tried again together', () => {
    expect(retryWaitMs({ ...policy, random: () => 0.5 }, 1)).toBe(5_500);
  });

  it('is at least what the receiver asks for, and never shorter than the schedule', () => {
    expect([9_000, 100].map((askedMs) => retryWaitMs(policy, 1, askedMs))).toEqual([9_000, 5_000]);
    expect(retryWaitMs(policy, 3, 9_000)).toBeUndefined();
  });

  it('may double with each attempt, up to a longest wait', () => {
    expect(doublingWaits(5, 5_000, 30_000)).toEqual([5_000, 10_000, 20_000, 30_000, 30_000]);
  });
});
