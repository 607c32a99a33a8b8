import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAddressFilter } from './address-policy.ts';

const isPublic = createAddressFilter({ allowedCidrs: [] });
const octet = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));

const ipv4Inside = (first: number[], bits: number) =>
  fc.tuple(octet, octet, octet, octet).map((octets) => {
    const base = ((first[0] ?? 0) << 24) | ((first[1] ?? 0) << 16) | ((first[2] ?? 0) << 8) | (first[3] ?? 0);
    const random = ((octets[0] << 24) | (octets[1] << 16) | (octets[2] << 8) | octets[3]) >>> 0;
    const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
    const address = ((base & mask) | (random & ~mask)) >>> 0;
    return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
  });

const closedIpv4: [string, number[], number][] = [
  ['this network', [0], 8],
  ['private 10', [10], 8],
  ['carrier-grade NAT', [100, 64], 10],
  ['loopback', [127], 8],
  ['link-local and metadata', [169, 254], 16],
  ['private 172.16', [172, 16], 12],
  ['protocol assignments', [192, 0, 0], 24],
  ['documentation', [192, 0, 2], 24],
  ['6to4 relays', [192, 88, 99], 24],
  ['private 192.168', [192, 168], 16],
  ['benchmarking', [198, 18], 15],
  ['documentation 2', [198, 51, 100], 24],
  ['documentation 3', [203, 0, 113], 24],
  ['multicast', [224], 4],
  ['reserved and broadcast', [240], 4],
];

const mapped = (address: string) => `::ffff:${address}`;
const hex = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

describe('address filter', () => {
  it.each(closedIpv4)('refuses every address of %s, however it is written', (_name, first, bits) => {
    fc.assert(
      fc.property(ipv4Inside(first, bits), (address) => {
        const forms = [
          address,
          mapped(address),
          `::ffff:${hex(address)}`,
          `::${hex(address)}`,
          `64:ff9b::${hex(address)}`,
          `64:ff9b:1::${hex(address)}`,
          `2002:${hex(address)}::1`,
        ];
        expect(forms.filter(isPublic)).toEqual([]);
      }),
    );
  });

  it('refuses every IPv6 address outside the public block', () => {
    const groups = fc.tuple(group, group, group, group, group, group, group);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), groups, (first, rest) => {
        fc.pre(first >> 13 !== 1);
        const address = [first.toString(16), ...rest].join(':');
        fc.pre(!/^0+:0+:0+:0+:0+:ffff:/.test(address));
        expect(isPublic(address)).toBe(false);
      }),
    );
  });

  it.each([
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '2002:102:304::1',
    '168.63.129.16',
    '::ffff:a83f:8110',
    '',
    'localhost',
  ])('refuses %s', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'allows %s',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  it('allows the ranges of a setting, and nothing else', () => {
    const isAllowed = createAddressFilter({ allowedCidrs: ['127.0.0.0/8', '::1/128'] });
    fc.assert(fc.property(ipv4Inside([127], 8), (address) => isAllowed(address) && isAllowed(mapped(address))));
    fc.assert(fc.property(ipv4Inside([10], 8), (address) => !isAllowed(address)));
    expect([isAllowed('::1'), isAllowed('::2'), isAllowed('1.1.1.1')]).toEqual([true, false, true]);
  });

  it('throws on an invalid range', () => {
    expect(() => createAddressFilter({ allowedCidrs: ['10.0.0.0'] })).toThrow();
  });
});
