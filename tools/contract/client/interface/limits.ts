// Section 8: rate limits.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { call, makeKey, type Reply } from './call.ts';
import { assertForm, integer } from './forms.ts';

const scopes = ['tasks:read'];
const header = ({ headers }: Reply, name: string): number => Number(headers.get(`X-RateLimit-${name}`) ?? NaN);
const read = (key: string): Promise<Reply> => call('/v1/tasks?limit=1', { key });

describe('8 tiers', () => {
  const tiers: [string, object, number][] = [
    ['basic', { tier: 'basic' }, 60],
    ['standard', { tier: 'standard' }, 300],
    ['enterprise', { tier: 'enterprise' }, 1_000],
    ['enterprise, customized', { tier: 'enterprise', rate_limit: 5_000 }, 5_000],
  ];
  for (const [name, fields, limit] of tiers)
    it(`the tier ${name} has ${limit} requests a minute`, async () =>
      assert.equal(header(await read(await makeKey({ scopes, ...fields })), 'Limit'), limit));
});

describe('8 rate limits', () => {
  let allowed: Reply[] = [];
  let exceeded: Reply;
  before(async () => {
    // All requests have to be in one minute.
    do {
      const key = await makeKey({ scopes, tier: 'basic' });
      allowed = [];
      for (let count = 0; count < 60; count += 1) allowed.push(await read(key));
      exceeded = await read(key);
    } while (header(exceeded, 'Reset') !== header(allowed[0] as Reply, 'Reset'));
  });

  it('60 requests of the tier basic are allowed', () => {
    for (const { status } of allowed) assert.equal(status, 200);
  });
  it('a request beyond the limit is 429', () => assert.equal(exceeded.status, 429));
  it('a request beyond the limit has the error code rate_limited', () =>
    assert.equal(exceeded.body.error?.code, 'rate_limited'));
  it('X-RateLimit-Limit is the number of requests allowed in the window', () => {
    for (const reply of [...allowed, exceeded]) assert.equal(header(reply, 'Limit'), 60);
  });
  it('X-RateLimit-Remaining is the number of requests left in the window', () => {
    assert.deepEqual(
      [...allowed, exceeded].map((reply) => header(reply, 'Remaining')),
      [...Array.from({ length: 60 }, (_, index) => 59 - index), 0],
    );
  });
  it('X-RateLimit-Reset is an integer', () => {
    for (const reply of [...allowed, exceeded]) assertForm(header(reply, 'Reset'), integer);
  });
});
