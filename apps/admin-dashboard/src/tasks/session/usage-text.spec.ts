import { describe, expect, it } from '@jest/globals';
import { usageText } from './usage-text.ts';

describe('the usage of an attempt', () => {
  it('is its model, tokens and money', () => {
    expect(usageText({ tokens: 1_234, cost: { amount: 0.25, currency: 'USD' }, model: 'small' })).toBe(
      'small, 1,234 tokens, $0.25',
    );
    expect(usageText({})).toBe('');
  });

  it.each(['1$%', 'us', '€€€'])('is shown with an unknown currency: %s', (currency) => {
    expect(usageText({ cost: { amount: 1_000, currency } })).toBe(`1,000 ${currency}`);
  });
});
