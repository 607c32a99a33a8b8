import { describe, expect, it } from '@jest/globals';
import { chooseLast } from './results.ts';

const machine = { processor: 'A', cores: 2, memory_gb: 16 };
const stored = (file: string, backend: string, other: object = {}) => ({
  file,
  backend,
  machine: { ...machine, ...other },
});

describe('chooseLast', () => {
  it('takes the newest results of the same back end', () => {
    const all = [stored('3', 'postgres'), stored('2', 'redis'), stored('1', 'redis')];
    expect(chooseLast(all, { backend: 'redis', machine })).toEqual({ last: all[1], others: [] });
  });

  it('skips those of another processor or number of cores, and gives them', () => {
    const all = [
      stored('3', 'redis', { processor: 'B' }),
      stored('2', 'redis', { cores: 4 }),
      stored('1', 'redis', { memory_gb: 32 }),
    ];
    expect(chooseLast(all, { backend: 'redis', machine })).toEqual({ last: all[2], others: all.slice(0, 2) });
    expect(chooseLast(all.slice(0, 2), { backend: 'redis', machine })).toEqual({
      last: undefined,
      others: all.slice(0, 2),
    });
  });

  it('gives none where none are stored', () => {
    expect(chooseLast([], { backend: 'redis', machine })).toEqual({ last: undefined, others: [] });
  });
});
