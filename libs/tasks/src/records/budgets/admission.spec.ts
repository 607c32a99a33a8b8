import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { admissionOf, amountIn, type Concerned, markCrossed, reserve, settle, type Settlement } from './admission.ts';

const budget: Concerned = {
  id: 'bud_1',
  scope: 'tenant',
  scopeId: '',
  unit: 'tokens',
  period: 'day',
  limit: 100,
  warnAtPercent: 80,
  key: '2026-11-20',
  startsAt: null,
  endsAt: null,
  spent: 0,
  reserved: 0,
  openCalls: 0,
  unpricedCalls: 0,
  estimatedCalls: 0,
  warnedAt: null,
  exhaustedAt: null,
};
const used = (tokens: number, amount: number, state: Settlement['before']['state'] = 'open'): Settlement => ({
  before: { amount, state },
  use: { tokens, cost: null },
  isEstimated: false,
});

describe('a call', () => {
  it('begins while budget is left, waits for calls that may use all of it, and is refused afterwards', () => {
    const full = reserve(budget, 100);
    expect(admissionOf([budget])).toEqual({ kind: 'allowed' });
    expect(admissionOf([full])).toEqual({ kind: 'wait', budget: full });
    const after = settle(full, used(40, 100));
    expect(admissionOf([after])).toEqual({ kind: 'allowed' });
    const over = settle(reserve(after, 200), used(60, 200));
    expect([over.spent, over.reserved, over.openCalls]).toEqual([100, 0, 0]);
    expect(admissionOf([budget, over])).toEqual({ kind: 'refused', budget: over });
  });

  it('is refused rather than made to wait, whichever budget comes first', () => {
    const spent = { ...budget, id: 'bud_2', spent: 100 };
    expect(admissionOf([reserve(budget, 100), spent])).toEqual({ kind: 'refused', budget: spent });
  });

  it('counts by the unit of each budget; without a price it costs nothing, and that is reported', () => {
    const use = { tokens: 7, cost: null };
    expect(['usd', 'tokens', 'calls'].map((unit) => amountIn({ unit } as Concerned, use))).toEqual([0, 7, 1]);
    expect(settle(reserve(budget, 7), used(7, 7)).unpricedCalls).toBe(1);
  });

  it('that was estimated is corrected by its usage, however late', () => {
    const open = reserve(budget, 50);
    const estimated = settle(open, { ...used(50, 50), isEstimated: true });
    expect(estimated).toMatchObject({ spent: 50, reserved: 0, openCalls: 0, estimatedCalls: 1 });
    expect(settle(estimated, used(10, 50, 'estimated'))).toMatchObject({ spent: 10, openCalls: 0, estimatedCalls: 0 });
  });
});

describe('a budget that is crossed', () => {
  const at = new Date('2026-11-20T10:00:00Z');
  const later = new Date('2026-11-20T11:00:00Z');

  it('is reported once, and again after its limit was raised', () => {
    const nearly = markCrossed({ ...budget, spent: 80 }, at);
    expect(nearly.crossed).toEqual(['budget.warning']);
    expect(markCrossed(nearly.budget, later).crossed).toEqual([]);
    const over = markCrossed({ ...nearly.budget, spent: 105 }, later);
    expect(over.crossed).toEqual(['budget.exhausted']);
    expect(over.budget).toMatchObject({ warnedAt: at, exhaustedAt: later });
    const raised = markCrossed({ ...over.budget, limit: 200 }, later);
    expect(raised).toMatchObject({ crossed: [], budget: { warnedAt: null, exhaustedAt: null } });
    expect(markCrossed({ ...raised.budget, spent: 200 }, later).crossed).toEqual([
      'budget.warning',
      'budget.exhausted',
    ]);
  });
});

it('is exceeded by one call at most, whatever begins, ends and is never reported in which order', () => {
  const amount = fc.integer({ min: 0, max: 60 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('start' as const), amount }),
    fc.record({ kind: fc.constantFrom('report' as const, 'expire' as const), call: fc.nat(5), part: fc.nat(100) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = budget;
      const open: number[] = [];
      const admitted: number[] = [0];
      for (const one of steps) {
        if (one.kind === 'start') {
          if (admissionOf([now]).kind !== 'allowed') continue;
          now = reserve(now, one.amount);
          open.push(one.amount);
          admitted.push(one.amount);
        } else {
          const [reserved] = open.splice(one.call % Math.max(1, open.length), 1);
          if (reserved === undefined) continue;
          const tokens = one.kind === 'expire' ? reserved : Math.floor((reserved * one.part) / 100);
          now = settle(now, { ...used(tokens, reserved), isEstimated: one.kind === 'expire' });
        }
        expect(now.reserved).toBe(open.reduce((sum, one) => sum + one, 0));
        expect(now.spent - now.limit).toBeLessThanOrEqual(Math.max(...admitted));
      }
    }),
  );
});
