import { describe, expect, it } from '@jest/globals';
import { costOf, highestCost, keptPrice, namesOfModel, shownPrice } from './model-price.ts';

const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe('a price', () => {
  it('is kept in millionths of a USD, and shown as it was given', () => {
    const given = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
    expect(keptPrice(given)).toEqual({ input: 3e6, output: 15e6, cacheRead: 3e5, cacheWrite: 3.75e6 });
    expect(shownPrice(keptPrice(given))).toEqual(given);
    expect(keptPrice({ input: 1, output: 2 })).toEqual({ input: 1e6, output: 2e6, cacheRead: 1e6, cacheWrite: 1e6 });
  });

  it('gives the cost of tokens of each kind, exactly, rounded up to a millionth', () => {
    const price = keptPrice({ input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 });
    expect(costOf(price, { input: 1_000, output: 100, cacheRead: 10_000, cacheWrite: 400 })).toBe(9_000);
    expect(costOf(keptPrice({ input: 1.1, output: 0 }), { ...tokens, input: 100 })).toBe(110);
    expect(costOf(keptPrice({ input: 0.000001, output: 0 }), { ...tokens, input: 1 })).toBe(1);
    expect(costOf(price, tokens)).toBe(0);
    const most = keptPrice({ input: 1e6, output: 1e6 });
    expect(costOf(most, { ...tokens, input: 1e9 })).toBe(1e15);
  });

  it('of a call that begins is the highest that its tokens may have', () => {
    const price = keptPrice({ input: 3, output: 15, cache_write: 3.75 });
    expect(highestCost(price, { input: 1_000, output: 1_000 })).toBe(18_750);
  });
});

it('a model has its name and all of its beginnings', () => {
  expect(namesOfModel('ab')).toEqual(['ab', '*', 'a*', 'ab*']);
  expect(namesOfModel('x'.repeat(200))).toHaveLength(202);
});
