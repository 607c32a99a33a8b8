import { describe, expect, it } from '@jest/globals';
import { isLocalOrigin } from './local-origin.ts';

const from = (remoteAddress: string, headers: Record<string, string | string[]> = {}) =>
  isLocalOrigin({ remoteAddress, headers });

describe('isLocalOrigin', () => {
  it.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])('takes %s for this machine', (address) =>
    expect(from(address)).toBe(true),
  );

  it.each(['', '10.0.0.1', '203.0.113.9', '::2', '127.evil.example', '::ffff:10.0.0.1'])(
    'takes %j for another machine',
    (address) => expect(from(address)).toBe(false),
  );

  it('believes a proxy on this machine that the caller is elsewhere', () => {
    expect(from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1, ::1' })).toBe(true);
    expect(from('127.0.0.1', { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' })).toBe(false);
    expect(from('127.0.0.1', { 'x-forwarded-for': 'unknown' })).toBe(false);
    expect(from('127.0.0.1', { forwarded: 'for=203.0.113.9' })).toBe(false);
  });

  it('refuses pages of other sites, which a browser would send here', () => {
    expect(from('127.0.0.1', { origin: 'http://localhost:3000' })).toBe(true);
    expect(from('127.0.0.1', { origin: 'http://[::1]:3000' })).toBe(true);
    expect(from('127.0.0.1', { origin: 'https://evil.example' })).toBe(false);
    expect(from('127.0.0.1', { origin: 'null' })).toBe(false);
  });
});
