import { taskPriorities, taskStatuses } from '@eas/contracts';
import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertTransition, claimRank, isFinal } from './task.ts';

const status = fc.constantFrom(...taskStatuses);
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });

describe('the state machine of tasks', () => {
  it('opens a final task again, moves a completed one into review, and moves it nowhere else', () => {
    fc.assert(
      fc.property(status.filter(isFinal), status, (from, to) => {
        const move = () => assertTransition(from, to);
        if (to === 'open' || (from === 'completed' && to === 'in_review')) expect(move).not.toThrow();
        else expect(move).toThrow(AppError);
      }),
    );
  });

  it('never returns to created', () => {
    fc.assert(fc.property(status, (from) => expect(() => assertTransition(from, 'created')).toThrow(AppError)));
  });

  it('refuses with 409 state and the names of both statuses', () => {
    expect(() => assertTransition('created', 'open')).toThrow(
      expect.objectContaining({ code: 'conflict', violations: [{ field: 'status', constraint: 'state' }] }),
    );
    expect(() => assertTransition('completed', 'in_progress')).toThrow('completed cannot become in_progress');
  });
});

describe('claimRank', () => {
  it('puts a higher priority before a lower one of the same moment', () => {
    const createdAt = new Date('2026-11-01');
    const ranks = taskPriorities.map((priority) =>
      claimRank({ createdAt, priority, dueDate: null }, createdAt).getTime(),
    );
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('starves nothing: 56 hours outweigh any priority and due date', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...taskPriorities), (createdAt, priority) => {
        const later = new Date(createdAt.getTime() + 56 * 3_600_000 + 1);
        const old = claimRank({ createdAt, priority: 'low', dueDate: null }, createdAt);
        const young = claimRank({ createdAt: later, priority, dueDate: later }, later);
        expect(old.getTime()).toBeLessThan(young.getTime());
      }),
    );
  });
});
