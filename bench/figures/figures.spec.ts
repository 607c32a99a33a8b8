import { describe, expect, it } from '@jest/globals';
import type { Figure } from '../harness/bench.ts';
import { worseThan } from './figures.ts';

const figure = (name: string, rate: number, limit = 100): Figure => ({
  scenario: 'tasks',
  name,
  rate,
  against: { name: 'limit', rate: limit },
});

describe('worseThan', () => {
  it('finds a ratio that lost more than 15 %, however fast the machine was', () => {
    const before = [figure('a', 50), figure('b', 50)];
    const now = [figure('a', 84, 200), figure('b', 86, 200)];
    expect(worseThan(before, now)).toEqual([{ figure: now[0], before: 0.5 }]);
  });

  it('compares with the same yardstick alone, and skips what is new', () => {
    const peer: Figure = { scenario: 'tasks', name: 'a', rate: 1, against: { name: 'a peer', rate: 100 } };
    expect(worseThan([figure('a', 50)], [peer, figure('new', 1)])).toEqual([]);
  });
});
