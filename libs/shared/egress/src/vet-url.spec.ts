import { describe, expect, it } from '@jest/globals';
import type { EgressPolicy } from './address-policy.ts';
import { vetUrl } from './vet-url.ts';

const production: EgressPolicy = { allowHttp: false, allowedCidrs: [] };
const onLoopback = { allowHttp: true, allowedCidrs: ['127.0.0.0/8', '::1/128'] };
const reason = (text: string, policy = production) => {
  const vetted = vetUrl(text, policy);
  return vetted.isAllowed ? 'allowed' : vetted.reason;
};

describe('vetUrl', () => {
  it.each([
    ['https://example.com/hooks?a=1', 'allowed'],
    ['https://example.com:8443/', 'allowed'],
    ['https://1.1.1.1/', 'allowed'],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['//example.com/', 'malformed'],
    ['example.com', 'malformed'],
    ['', 'malformed'],
    ['https://', 'malformed'],
    ['https://user@example.com/', 'credentials'],
    ['https://:word@example.com/', 'credentials'],
    ['https://10.1.2.3/', 'blocked_address'],
    ['https://0x7f.1/', 'blocked_address'],
    ['https://2130706433/', 'blocked_address'],
    ['https://017700000001/', 'blocked_address'],
    ['https://127.1/', 'blocked_address'],
    ['https://169.254.169.254/latest/meta-data', 'blocked_address'],
    ['https://[::1]/', 'blocked_address'],
    ['https://[::ffff:192.168.0.1]/', 'blocked_address'],
    ['https://localhost/', 'blocked_address'],
    ['https://example.com:443/', 'allowed'],
    ['https://example.com:1024/', 'allowed'],
    ['https://example.com:65535/', 'allowed'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://example.com:5432/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['https://example.com:9200/', 'port'],
    ['https://example.com:6667/', 'port'],
    ['https://a.localhost./', 'blocked_address'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'too_long'],
  ])('%s: %s', (text, expected) => {
    expect(reason(text)).toBe(expected);
  });

  it.each(['http://127.0.0.1:9999/x', 'http://[::1]:80/', 'http://localhost:3000/hook', 'https://127.9.9.9/'])(
    'allows %s if the settings allow loopback',
    (text) => {
      expect(reason(text, onLoopback)).toBe('allowed');
    },
  );

  it('refuses the ports of other services even if the settings allow loopback', () => {
    expect(reason('http://127.0.0.1:6379/', onLoopback)).toBe('port');
    expect(reason('http://127.0.0.1:22/', onLoopback)).toBe('port');
  });

  it('refuses its own ports, by whatever name', () => {
    const own = { ...onLoopback, deniedPorts: [3000, 3002] };
    expect(reason('http://127.0.0.1:3000/v1/tasks', own)).toBe('port');
    expect(reason('http://localhost:3002/metrics', own)).toBe('port');
    expect(reason('http://localhost:3001/hook', own)).toBe('allowed');
  });

  it('refuses other private addresses even if the settings allow loopback', () => {
    expect(reason('http://192.168.1.1/', onLoopback)).toBe('blocked_address');
  });
});
