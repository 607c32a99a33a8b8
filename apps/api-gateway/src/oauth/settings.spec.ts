import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { bootstrapClient } from './bootstrap-client.ts';
import { cookieKeys } from './cookie-keys.ts';
import { pagePolicy } from './page-policy.ts';

describe('BOOTSTRAP_OAUTH_CLIENT', () => {
  const right = { client_id: 'shop', client_secret: 's', redirect_uris: ['http://localhost:4000/cb'] };

  it('is a client as JSON', () => {
    expect(bootstrapClient().parse(JSON.stringify(right))).toEqual({
      id: 'shop',
      secret: 's',
      redirectUris: ['http://localhost:4000/cb'],
    });
  });

  it.each([
    '{',
    '[]',
    'null',
    JSON.stringify({ ...right, client_id: '' }),
    JSON.stringify({ ...right, client_secret: undefined }),
    JSON.stringify({ ...right, redirect_uris: [] }),
    JSON.stringify({ ...right, redirect_uris: ['http://example.com/'] }),
    JSON.stringify({ ...right, more: 1 }),
    JSON.stringify({ ...right, client_secret: 'CHANGE-ME' }),
  ])('is refused as %s, with a message of what was expected, without its value', (text) => {
    const message = bootstrapClient().safeParse(text).error?.issues[0]?.message;
    expect(message).toContain('JSON such as {"client_id"');
  });
});

describe('the keys that sign cookies', () => {
  it('are the same in every gateway, another for each encryption key, and not that key', () => {
    const keys = [1, 2].map(() => randomBytes(32).toString('base64'));
    const [first, second] = cookieKeys(keys);
    expect(cookieKeys(keys)).toEqual([first, second]);
    expect(cookieKeys([keys[1] ?? ''])).toEqual([second]);
    expect(new Set([first, second, ...keys]).size).toBe(4);
  });
});

describe('the policy of a page that may lead to a client', () => {
  it.each([
    [undefined, `form-action 'self';`],
    ['https://shop.example.com:8443/cb?a=b', `form-action 'self' https://shop.example.com:8443;`],
    ['http://[::1]:1234/cb', `form-action 'self' http:;`],
    ['com.example.app:/cb', `form-action 'self' com.example.app:;`],
  ])('for %s says %s', (uri, part) => {
    expect(pagePolicy(uri)).toContain(part);
  });
});
