import { describe, expect, it } from '@jest/globals';
import { amountText, type Budget } from '../resources/usage/usage-words.ts';
import { budgetIn, priceIn, textsOfPrice, usedText } from './budget-values.ts';

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

describe('the form of a budget', () => {
  const fields = { scope: 'role', scope_id: ' rd ', unit: 'usd', period: 'day', limit: '0.5', warn_at_percent: '80' };

  it('is sent with whose calls count, or none', () => {
    const body = { scope: 'role', scope_id: 'rd', unit: 'usd', period: 'day', limit: 0.5, warn_at_percent: 80 };
    expect(budgetIn(formOf(fields))).toEqual(body);
    const { scope_id: _, ...ofTenant } = fields;
    expect(budgetIn(formOf({ ...ofTenant, scope: 'tenant' }))).toMatchObject({ scope: 'tenant', scope_id: null });
  });
});

describe('what is used up', () => {
  it('is said in the unit of the budget', () => {
    expect([amountText('tokens', 1_000_000), amountText('calls', 1)]).toEqual(['1,000,000 tokens', '1 call']);
    const current = { spent: 4.200_001 } as Budget['current'];
    expect(usedText({ unit: 'usd', limit: 20, current } as Budget)).toBe('4.200001 of 20 USD');
    expect(usedText({ unit: 'usd', limit: 20, current: null } as Budget)).toBe('');
  });
});

describe('the price of a model', () => {
  it('is sent without the prices of caches that are left empty', () => {
    const price = { input: '3', output: '15', cache_read: '0.3', cache_write: '' };
    expect(priceIn(formOf(price))).toEqual({ input: 3, output: 15, cache_read: 0.3 });
  });

  it('is empty in the form of a model that has none', () => {
    const big = { input: 3, output: 15, cache_read: 0.3, cache_write: 3 };
    const table = { prices: { 'big-*': big }, version: 1, updated_at: null };
    expect(textsOfPrice(table, 'big-*')).toEqual({ input: '3', output: '15', cache_read: '0.3', cache_write: '3' });
    expect(textsOfPrice(table, '')).toEqual({ input: '', output: '', cache_read: '', cache_write: '' });
  });
});
