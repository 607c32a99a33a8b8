import { describe, expect, it } from '@jest/globals';
import { serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';

const routes = [
  defineRoute({
    method: 'GET',
    path: '/whoami',
    summary: 'Return the address',
    tags: ['Addresses'],
    access: 'public',
    responses: { 204: { description: 'None' } },
    errors: [],
    handler: async (_ctx, { remoteAddress }) => ({ status: 204, headers: { 'X-Address': remoteAddress } }),
  }),
];
const near = serveRoutes(routes);
const behind = serveRoutes(routes, { trustProxy: ['127.0.0.0/8', '::1/128'] });

describe('the address of a caller', () => {
  it.each([
    [near, '203.0.113.7', '127.0.0.1'],
    [behind, '203.0.113.7', '203.0.113.7'],
    [behind, '198.51.100.1, 2001:db8::7', '2001:db8::7'],
    [behind, '203.0.113.7, <script>', '127.0.0.1'],
    [behind, '203.0.113.7:4711', '127.0.0.1'],
    [behind, 'x'.repeat(8_000), '127.0.0.1'],
  ])('is what trusted proxies say, if it is an address (%#)', async ({ call }, forwarded, address) => {
    const { headers } = await call('GET', '/whoami', { headers: { 'x-forwarded-for': forwarded } });
    expect(headers.get('x-address')).toBe(address);
  });
});
