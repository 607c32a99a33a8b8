import { describe, expect, it } from '@jest/globals';
import { createRounds } from './rounds.ts';

describe('rounds', () => {
  it('take items from the keys in turns, in order within each key', () => {
    const rounds = createRounds<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2']) rounds.add(item[0] as string, item);
    const taken = Array.from({ length: 5 }, () => rounds.take());
    expect(taken).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    expect([rounds.isEmpty(), rounds.take()]).toEqual([true, undefined]);
  });

  it('keep the turn of a key that must not be served now', () => {
    const rounds = createRounds<string>();
    for (const item of ['a1', 'a2', 'b1']) rounds.add(item[0] as string, item);
    expect(rounds.take((key) => key !== 'a')).toBe('b1');
    expect(rounds.take((key) => key !== 'a')).toBeUndefined();
    expect(rounds.take()).toBe('a1');
  });

  it('forget removed items, and keys without items', () => {
    const rounds = createRounds<string>();
    rounds.add('a', 'a1');
    rounds.remove('a', 'a1');
    rounds.remove('b', 'unknown');
    expect([rounds.has('a'), rounds.isEmpty()]).toEqual([false, true]);
  });
});
