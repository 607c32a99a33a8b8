import { describe, expect, it } from '@jest/globals';
import { addRollups } from '../facts/rollup.ts';
import { addByDay, compareRollups } from './compare-rollups.ts';

const rollup = (day: string, role: string, more: object) => ({ ...addRollups([]), day, role, ...more });
const [monday, tuesday] = ['2026-03-02', '2026-03-03'];

describe('addByDay', () => {
  it('adds up what belongs to the same day and role', () => {
    const parts = [rollup(monday, 'rd', { total: 2 }), rollup(monday, 'qa', { total: 4 })];
    expect(addByDay([...parts, rollup(monday, 'rd', { total: 1, completed: 1 })])).toEqual([
      rollup(monday, 'rd', { total: 3, completed: 1 }),
      rollup(monday, 'qa', { total: 4 }),
    ]);
  });
});

describe('compareRollups', () => {
  it('reports each field that differs, with both values', () => {
    const stored = [rollup(monday, 'rd', { total: 3, completed: 1 }), rollup(tuesday, 'rd', { total: 1 })];
    const counted = [
      rollup(monday, 'rd', { total: 3, completed: 2, completionMs: 5 }),
      rollup(tuesday, 'rd', { total: 1 }),
    ];
    expect(compareRollups(stored, counted)).toEqual([
      {
        day: monday,
        role: 'rd',
        fields: { completed: { stored: 1, counted: 2 }, completionMs: { stored: 0, counted: 5 } },
      },
    ]);
  });

  it('takes a row that only one of them has for a difference, unless it is one of zeros', () => {
    expect(compareRollups([rollup(monday, '', { total: 1 })], [rollup(tuesday, 'rd', { total: 2 })])).toEqual([
      { day: tuesday, role: 'rd', fields: { total: { stored: 0, counted: 2 } } },
      { day: monday, role: '', fields: { total: { stored: 1, counted: 0 } } },
    ]);
    expect(compareRollups([], [rollup(monday, 'rd', {})])).toEqual([]);
  });
});
