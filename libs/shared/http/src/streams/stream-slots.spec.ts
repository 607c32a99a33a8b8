import { describe, expect, it } from '@jest/globals';
import { createStreamSlots } from './stream-slots.ts';

const caller = (credentialId: string, tenantId = 'tnt_1') => ({ credentialId, tenantId });

describe('slots of streams', () => {
  it('are limited for a credential and for its tenant, whatever number of keys it has', () => {
    const slots = createStreamSlots({ perCredential: 2, perTenant: 3, perProcess: 100 });
    const leave = slots.take(caller('key_1'));
    slots.take(caller('key_1'));
    expect(() => slots.take(caller('key_1'))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    slots.take(caller('key_2'));
    const limit = { code: 'conflict', violations: [{ field: '', constraint: 'limit' }] };
    expect(() => slots.take(caller('key_3'))).toThrow(expect.objectContaining(limit));
    slots.take(caller('key_4', 'tnt_2'));
    leave();
    slots.take(caller('key_3'));
  });

  it('remain for other tenants when one tenant wants all of a process', () => {
    const slots = createStreamSlots({ perCredential: 1, perTenant: 1_000, perProcess: 1_000 });
    let taken = 0;
    expect(() => {
      for (; ; taken += 1) slots.take(caller(`key_${taken}`));
    }).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(taken).toBe(500);
    slots.take(caller('key_of_another', 'tnt_2'));
  });
});
