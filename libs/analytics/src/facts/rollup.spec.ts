import { describe, expect, it } from '@jest/globals';
import { addRollups, averageCompletionMs, completionRate, meanScore } from './rollup.ts';

const none = addRollups([]);

describe('figures of a roll-up', () => {
  it('are null when there is nothing to divide by, and a rate of no tasks is 0', () => {
    expect(completionRate(none)).toBe(0);
    expect(averageCompletionMs(none)).toBe(null);
    expect(meanScore(0, 0)).toBe(null);
  });

  it('give the completion rate to four decimals', () => {
    expect(completionRate({ ...none, total: 3, completed: 1 })).toBe(0.3333);
    expect(completionRate({ ...none, total: 3, completed: 2 })).toBe(0.6667);
    expect(completionRate({ ...none, total: 7, completed: 7 })).toBe(1);
  });

  it('average over the completed tasks that were claimed', () => {
    expect(averageCompletionMs({ ...none, completed: 3, completionMs: 10_800_000, completionCount: 2 })).toBe(
      5_400_000,
    );
  });

  it('round mean scores to integers', () => {
    expect(meanScore(255, 3)).toBe(85);
    expect(meanScore(181, 2)).toBe(91);
  });

  it('add up field by field', () => {
    const sum = addRollups([
      { ...none, total: 2, completed: 1, qualityTotal: 90, qualityCount: 1 },
      { ...none, total: 1, inProgress: 1, qualityTotal: 70, qualityCount: 1 },
    ]);
    expect(sum).toEqual({ ...none, total: 3, completed: 1, inProgress: 1, qualityTotal: 160, qualityCount: 2 });
  });
});
