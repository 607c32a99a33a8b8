import { describe, expect, it } from '@jest/globals';
import { statusMeaning } from './status-meaning.ts';

const meaning = (word: string, type: string | null = null) => statusMeaning({}, word, type);

describe('statusMeaning', () => {
  it('knows the built-in words, and lets an integration override them', () => {
    expect(['to do', 'Open', 'COMPLETE', 'closed', 'done'].map((word) => meaning(word))).toEqual([
      'open',
      'open',
      'completed',
      'completed',
      'completed',
    ]);
    expect(['in progress', 'review', 'constructor'].map((word) => meaning(word))).toEqual(['hold', 'hold', 'hold']);
    expect(statusMeaning({ shipped: 'completed', done: 'hold' }, 'Shipped', null)).toBe('completed');
    expect(statusMeaning({ shipped: 'completed', done: 'hold' }, 'done', null)).toBe('hold');
  });

  it('goes by the platform’s type before the built-in words, and by the integration before both', () => {
    expect(meaning('backlog', 'open')).toBe('open');
    expect(meaning('shipped', 'done')).toBe('completed');
    expect(meaning('archived', 'closed')).toBe('completed');
    expect(meaning('done', 'open')).toBe('open');
    expect(meaning('in review', 'custom')).toBe('hold');
    expect(meaning('done', 'custom')).toBe('completed');
    expect(meaning('to do', 'constructor')).toBe('open');
    expect(statusMeaning({ shipped: 'open' }, 'shipped', 'closed')).toBe('open');
  });
});
