import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { estimateRemaining, mergeMilestones, percentComplete } from './progress.ts';

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

describe('estimateRemaining', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const hourMs = 3_600_000;
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const task = { status: 'in_progress', estimateRemaining: null, medianMs: 5 * hourMs, firstClaimedAt: ago(2) };

  it.each([
    ['the median of the role before anybody begins', { firstClaimedAt: null }, '5h'],
    ['the median less the time since the first claim', {}, '3h'],
    ['nothing when the time is up', { firstClaimedAt: ago(9) }, '0h'],
    ['unknown for a role that has completed nothing', { medianMs: null }, null],
    ['what the agent says, whatever the median', { estimateRemaining: '12.5h' }, '12.5h'],
    ['nothing for a completed task, whatever the agent said', { status: 'completed', estimateRemaining: '1h' }, '0h'],
  ])('is %s', (_, over, expected) => expect(estimateRemaining({ ...task, ...over }, now)).toBe(expected));

  it('never grows while time passes, is never negative and has the form <number>h', () => {
    const hours = fc.integer({ min: 0, max: 10_000 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(hours, hours, hours, (median, spent, more) => {
        const at = (spentHours: number) =>
          estimateRemaining({ ...task, medianMs: median * hourMs, firstClaimedAt: ago(spentHours) }, now);
        expect(at(spent)).toMatch(/^\d+(\.\d)?h$/);
        expect(Number.parseFloat(at(spent + more) ?? '')).toBeLessThanOrEqual(Number.parseFloat(at(spent) ?? ''));
      }),
    );
  });
});

describe('mergeMilestones', () => {
  it('changes known names in place and adds new ones behind', () => {
    expect(mergeMilestones([open('a'), open('b')], [done('a'), open('c')])).toEqual([done('a'), open('b'), open('c')]);
  });
});
