import { describe, expect, it } from '@jest/globals';
import { expectRuns } from './in-flight.ts';

describe('expectRuns', () => {
  it('refuses a round in which no run ended', () => {
    const times = { p50Ms: 1, p99Ms: 2 };
    expect(() => expectRuns('ours', { runsPerSecond: 0.2, ...times })).not.toThrow();
    for (const runsPerSecond of [0, NaN])
      expect(() => expectRuns('ours', { runsPerSecond, ...times })).toThrow('ours: no run ended in a round');
  });
});
