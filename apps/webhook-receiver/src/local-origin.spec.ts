import { describe, expect, it } from '@jest/globals';
import { isLocalOrigin } from './local-origin.ts';

const from = (remoteAddress: string, headers: Record<string, string | string[]> = {}) =>
  isLocalOrigin({ remoteAddress, headers: { host: 'localhost:3000', ...headers } });

describe('isLocalOrigin', () => {
  it.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])('takes %s for this machine', (address) =>
    expect(from(address)).toBe(true),
  );

  it.each(['', '10.0.0.1', '203.0.113.9', '::2', '127.evil.example', '::ffff:10.0.0.1'])(
    'takes %j for another machine',
    (address) => expect(from(address)).toBe(false),
  );

  it.each(['localhost', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST:80'])('takes the host %s', (host) =>
    expect(from('127.0.0.1', { host })).toBe(true),
  );

  it.each(['evil.example', 'localhost.evil.example', '192.168.1.7:3000', '', 'local host', 'localhost@evil.example'])(
    'refuses the host %j, which leads a browser or a tunnel here',
    (host) => expect(from('127.0.0.1', { host })).toBe(false),
  );

  it('refuses a request without a host', () => {
    expect(isLocalOrigin({ remoteAddress: '127.0.0.1', headers: {} })).toBe(false);
  });

  it.each([
    ['via', '1.1 proxy'],
    ['forwarded', 'for=127.0.0.1'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-proto', ''],
    ['x-real-ip', '127.0.0.1'],
    ['cf-connecting-ip', '127.0.0.1'],
    ['cf-ray', '1'],
    ['cdn-loop', 'x'],
    ['true-client-ip', '::1'],
    ['x-envoy-external-address', '::1'],
    ['x-amzn-trace-id', 'Root=1'],
    ['x-gateway-proof', 'a guess'],
  ])('refuses what was passed on, whatever %s says', (name, value) =>
    expect(from('127.0.0.1', { [name]: value })).toBe(false),
  );

  it('refuses pages of other sites, which a browser would send here', () => {
    expect(from('127.0.0.1', { origin: 'http://localhost:3000' })).toBe(true);
    expect(from('127.0.0.1', { origin: 'http://[::1]:3000' })).toBe(true);
    expect(from('127.0.0.1', { origin: 'https://evil.example' })).toBe(false);
    expect(from('127.0.0.1', { origin: 'null' })).toBe(false);
  });
});
