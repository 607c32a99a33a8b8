import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from '@jest/globals';
import { createAddressFilter } from './address-policy.ts';
import { createFilteredLookup } from './filtered-lookup.ts';

const isAllowed = createAddressFilter({ allowedCidrs: [] });

function resolveTo(addresses: string[], all: boolean): Promise<unknown> {
  const lookup = createFilteredLookup(isAllowed, (_name, _options, done) => {
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });
  return new Promise((resolve) => {
    lookup('example.com', { all }, (error, found, family) => resolve(error?.code ?? [found, family]));
  });
}

describe('filtered look-up', () => {
  it('returns only the public addresses', async () => {
    const found = await resolveTo(['10.0.0.1', '1.1.1.1', '::1', '2606:4700::1111'], true);
    expect(found).toEqual([
      [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      undefined,
    ]);
  });

  it('returns one checked address if one is requested', async () => {
    expect(await resolveTo(['192.168.1.1', '1.1.1.1'], false)).toEqual(['1.1.1.1', 4]);
  });

  it.each([true, false])('fails when every address is private', async (all) => {
    expect(await resolveTo(['127.0.0.1', '::ffff:10.0.0.1'], all)).toBe('EBLOCKEDADDRESS');
  });

  it('maps every failure of the look-up to one code, which no connection error has', async () => {
    const refused = Object.assign(new Error('no name server'), { code: 'ECONNREFUSED' });
    const lookup = createFilteredLookup(isAllowed, (_name, _options, done) => done(refused, []));
    const code = await new Promise((resolve) => lookup('example.com', {}, (error) => resolve(error?.code)));
    expect(code).toBe('LOOKUP_FAILED');
  });
});
