import { describe, expect, it } from '@jest/globals';
import { mergeMilestones, percentComplete } from './progress.ts';

const done = (name: string) => ({ name, completed: true });
const open = (name: string) => ({ name, completed: false });

describe('percentComplete', () => {
  it('takes the number of the agent before milestones', () => {
    expect(percentComplete({ status: 'in_progress', percentComplete: 10, milestones: [done('a')] })).toBe(10);
  });

  it('counts completed milestones when the agent gave no number', () => {
    const milestones = [done('a'), open('b'), open('c')];
    expect(percentComplete({ status: 'in_progress', percentComplete: null, milestones })).toBe(33);
  });

  it('is 100 for a completed task and 0 where nothing is known', () => {
    expect(percentComplete({ status: 'completed', percentComplete: 10, milestones: [] })).toBe(100);
    expect(percentComplete({ status: 'open', percentComplete: null, milestones: [] })).toBe(0);
  });
});

describe('mergeMilestones', () => {
  it('changes known names in place and adds new ones behind', () => {
    expect(mergeMilestones([open('a'), open('b')], [done('a'), open('c')])).toEqual([done('a'), open('b'), open('c')]);
  });
});
