import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createShares } from './candidate-shares.ts';

const candidate = fc.record({
  tenantId: fc.integer({ max: 40 }).map(String),
  id: fc.integer({ max: 200 }).map(String),
});

describe('shares of candidates', () => {
  it('are 5 of each of 20 tenants, each once, whatever comes before', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 1_000 }), (candidates) => {
        const taken = candidates.filter(createShares());
        const byTenant = Map.groupBy(taken, ({ tenantId }) => tenantId);
        expect(byTenant.size).toBeLessThanOrEqual(20);
        for (const [, ofTenant] of byTenant) {
          expect(ofTenant.length).toBeLessThanOrEqual(5);
          expect(new Set(ofTenant.map(({ id }) => id)).size).toBe(ofTenant.length);
        }
      }),
    );
  });

  it('leave a slot for each of 20 tenants, however many candidates another one has', () => {
    const crowd = Array.from({ length: 1_000 }, (_, n) => ({ tenantId: 'crowd', id: `c${n}` }));
    const others = Array.from({ length: 19 }, (_, n) => ({ tenantId: `t${n}`, id: `t${n}` }));
    expect([...crowd, ...others].filter(createShares())).toEqual([...crowd.slice(0, 5), ...others]);
  });
});
