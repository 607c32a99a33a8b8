import { describe, expect, it } from '@jest/globals';
import { createStreamPlaces } from './stream-places.ts';

const caller = (credentialId: string, tenantId = 'tnt_1') => ({ credentialId, tenantId });

describe('places of streams', () => {
  it('are limited for a credential and for its tenant, whatever number of keys it has', () => {
    const places = createStreamPlaces({ perCredential: 2, perTenant: 3, perProcess: 100 });
    const leave = places.take(caller('key_1'));
    places.take(caller('key_1'));
    expect(() => places.take(caller('key_1'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    places.take(caller('key_2'));
    const limit = { code: 'conflict', violations: [{ field: '', constraint: 'limit' }] };
    expect(() => places.take(caller('key_3'))).toThrow(expect.objectContaining(limit));
    places.take(caller('key_4', 'tnt_2'));
    leave();
    places.take(caller('key_3'));
  });

  it('are left for other tenants when one wants all of a process', () => {
    const places = createStreamPlaces({ perCredential: 1, perTenant: 1_000, perProcess: 1_000 });
    let taken = 0;
    expect(() => {
      for (; ; taken += 1) places.take(caller(`key_${taken}`));
    }).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(taken).toBe(500);
    places.take(caller('key_of_another', 'tnt_2'));
  });
});
