import { describe, expect, it } from '@jest/globals';
import { budgetName, usageSince } from './usage-words.ts';

const budget = { scope: 'role', scope_id: 'rd', period: 'day' } as Parameters<typeof budgetName>[0];

describe('a budget', () => {
  it.each([
    [budget, 'role rd, this day'],
    [{ ...budget, scope: 'tenant' as const, scope_id: null, period: 'month' as const }, 'all agents, this month'],
    [{ ...budget, scope: 'task' as const, scope_id: null, period: 'task' as const }, 'each task, for a task'],
  ])('is named by whose calls it limits', (one, name) => {
    expect(budgetName(one)).toBe(name);
  });
});

it('usage is requested since the creation of a resource, up to the maximum period', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  expect(usageSince('2026-11-19T00:00:00Z', now)).toBe('2026-11-19T00:00:00.000Z');
  expect(usageSince('2020-01-01T00:00:00Z', now)).toBe('2025-10-26T00:00:00.000Z');
});
