import { describe, expect, it } from '@jest/globals';
import { expectClean, failuresIn } from './rounds.ts';

describe('expectClean', () => {
  it('accepts rounds in which every response was 2xx and every task was claimed once', () => {
    expect(() => expectClean('real', { errors: failuresIn({ 200: 5, 201: 7 }), doubles: 0 })).not.toThrow();
  });

  it('refuses responses that are not 2xx, and requests without a response', () => {
    const errors = failuresIn({ 201: 7, 503: 2, 'connection lost': 1 });
    expect(() => expectClean('real', { errors })).toThrow('real: requests failed: {"503":2,"connection lost":1}');
  });

  it('refuses tasks that were claimed twice', () => {
    expect(() => expectClean('round 2', { errors: {}, doubles: 3 })).toThrow('round 2: 3 tasks were claimed twice');
  });
});
