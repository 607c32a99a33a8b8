import { describe, expect, it } from '@jest/globals';
import { lineOfRules, moved, newRule, rulesOf, textOfRules } from './rules.ts';

const [first, second] = [newRule, { action: 'deny' as const, tool: 'fetch', pattern: '*://*.internal/*' }];

describe('permission rules', () => {
  it('are kept in a field as they are', () => {
    expect(rulesOf(textOfRules([first, second]))).toEqual([first, second]);
    expect([rulesOf(''), rulesOf('{}'), rulesOf('[{"tool":"read"}]')]).toEqual([
      [],
      [],
      [{ action: 'ask', tool: 'read', pattern: '*' }],
    ]);
  });

  it('are a line in a list', () => {
    expect(lineOfRules([first, second])).toBe('ask execute *; deny fetch *://*.internal/*');
  });

  it('change places, and stay where there is none', () => {
    expect(moved([first, second], 0, 1)).toEqual([second, first]);
    expect(moved([first, second], 1, -1)).toEqual([second, first]);
    expect(moved([first, second], 0, -1)).toEqual([first, second]);
    expect(moved([first, second], 1, 1)).toEqual([first, second]);
  });
});
