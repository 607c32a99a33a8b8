import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { generateApiKey, isPlausibleKey, principalOf, visibleParts } from './api-key.ts';

const row = { tenantId: 'tnt_1', id: 'key_1', scopes: [], tier: 'standard', rateLimit: null, agentId: null } as const;

describe('API keys', () => {
  it('have the documented form and a right checksum', () => {
    for (const mode of ['live', 'test'] as const) {
      const key = generateApiKey(mode);
      expect(key).toMatch(new RegExp(`^eas_${mode}_[0-9A-Za-z]{38}$`));
      expect(isPlausibleKey(key)).toBe(true);
    }
  });

  it('are refused when any one character is another', () => {
    const key = generateApiKey();
    fc.assert(
      fc.property(fc.integer({ min: 9, max: key.length - 1 }), fc.constantFrom(...'0Az9'), (index, character) => {
        fc.pre(key[index] !== character);
        return !isPlausibleKey(key.slice(0, index) + character + key.slice(index + 1));
      }),
    );
  });

  it('from settings may be any text of 24 to 128 characters', () => {
    expect([23, 24, 128, 129].map((length) => isPlausibleKey('k'.repeat(length)))).toEqual([false, true, true, false]);
  });

  it('show their beginning and their last four', () => {
    const key = generateApiKey();
    expect(visibleParts(key)).toEqual({ prefix: key.slice(0, 13), lastFour: key.slice(-4) });
  });
});

describe('principalOf', () => {
  it('takes the number of the tier unless the key has its own', () => {
    expect(principalOf({ ...row, scopes: [] }).rateLimit).toBe(300);
    expect(principalOf({ ...row, scopes: [], rateLimit: 7 }).rateLimit).toBe(7);
  });

  it('acts as the agent whose key it is, and for any agent with the scope admin', () => {
    expect(principalOf({ ...row, scopes: [], agentId: 'agt_1' }).actor).toEqual({ id: 'agt_1', agentId: 'agt_1' });
    expect(principalOf({ ...row, scopes: ['admin'] }).actor).toEqual({ id: 'key_1', isAdmin: true });
  });
});
