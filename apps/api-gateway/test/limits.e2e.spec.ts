import { describe, expect, it } from '@jest/globals';
import { createApiKey } from '@eas/access';
import { type ApiResponse, cookies, expectError, useGateway } from './gateway.ts';

/** Few enough for a slow machine to send them within a minute. */
const failures = 40;
const gateway = useGateway({ failures });
const stateOf = ({ headers }: ApiResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? 'NaN'));

describe('the rate limit', () => {
  it('is in the headers of every authenticated response, with any status', async () => {
    const key = await gateway.makeKey(['tasks:read', 'tasks:write'], { rateLimit: 500 });
    const responses = [
      await gateway.get('/v1/tasks', { key }),
      await gateway.post('/v1/tasks', { title: 't', description: 'd' }, { key }),
      await gateway.post('/v1/tasks', {}, { key }),
      await gateway.get('/v1/tasks/tsk_none', { key }),
      await gateway.get('/v1/agents', { key }),
      await gateway.send('POST', '/v1/tasks', 'x', { key, headers: { 'content-type': 'text/csv' } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 400, 404, 403, 415]);
    for (const [index, response] of responses.entries()) {
      const [limit, remaining, reset] = stateOf(response);
      expect([limit, remaining]).toEqual([500, 499 - index]);
      expect(Math.abs((reset ?? 0) - Date.now() / 1_000)).toBeLessThanOrEqual(61);
    }
  });

  it.each([
    ['basic', null, 60],
    ['standard', null, 300],
    ['enterprise', null, 1_000],
    ['enterprise', 5_000, 5_000],
  ] as const)('of the tier %s with the number %s is %i', async (tier, rateLimit, expected) => {
    const input = { name: 'tier', scopes: ['tasks:read'] as const, tier, rateLimit };
    const { key } = await createApiKey(gateway.test.context(), input);
    expect(stateOf(await gateway.get('/v1/tasks', { key })).slice(0, 2)).toEqual([expected, expected - 1]);
  });

  it('is absent where the caller is not authenticated', async () => {
    for (const response of [await gateway.get('/v1/tasks', { key: null }), await gateway.get('/v1/openapi.json')])
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('is enforced with 429 and Retry-After, before scope and body are checked, and without a write', async () => {
    const key = await gateway.makeKey(['tasks:read', 'tasks:write'], { rateLimit: 3 });
    for (let call = 0; call < 3; call += 1) expect((await gateway.get('/v1/tasks', { key })).status).toBe(200);
    const rows = await gateway.rows();
    for (const response of [
      await gateway.post('/v1/tasks', { title: 't', description: 'd' }, { key }),
      await gateway.send('POST', '/v1/tasks', '{', { key }),
      await gateway.get('/v1/agents', { key }),
    ]) {
      expectError(response, 429, 'rate_limited');
      const seconds = Number(response.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(stateOf(response).slice(0, 2)).toEqual([3, 0]);
    }
    expect(await gateway.rows()).toEqual(rows);
    expect((await gateway.get('/v1/nothing', { key })).status).toBe(404);
  });

  it('of claims and lease calls is a window of its own, ten times as wide', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'Ada', role: 'limits' });
    const key = await gateway.makeKey(['agent:self', 'tasks:read'], { agentId: agent.id, rateLimit: 2 });
    for (let call = 0; call < 2; call += 1) await gateway.get('/v1/tasks', { key });
    expect((await gateway.get('/v1/tasks', { key })).status).toBe(429);
    const claim = await gateway.post(`/v1/agents/${agent.id}/claims`, {}, { key });
    expect([claim.status < 300, ...stateOf(claim).slice(0, 2)]).toEqual([true, 20, 19]);
  });
});

describe('wrong credentials', () => {
  const guess = (headers: Record<string, string>) => gateway.get('/v1/tasks', { key: null, headers });
  const wrong: Record<string, string>[] = [
    { 'x-api-key': 'a-key-that-was-never-created-here' },
    { 'x-api-key': 'x' },
    { authorization: 'Bearer a-token-that-was-never-issued' },
    { cookie: `${cookies.session.name}=${'x'.repeat(43)}` },
  ];

  it('beyond a limit for each address are 429 with Retry-After; missing and right ones never are', async () => {
    for (let call = 0; call < 5; call += 1) expectError(await guess({}), 401, 'unauthorized');
    for (let call = 0; call < failures; call += 1)
      expectError(await guess(wrong[call % wrong.length] ?? {}), 401, 'unauthorized');
    for (const headers of wrong) {
      const response = await guess(headers);
      expectError(response, 429, 'rate_limited');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    }
    expectError(await guess({}), 401, 'unauthorized');
    expect((await gateway.get('/v1/tasks')).status).toBe(200);
    const fresh = await gateway.makeKey(['tasks:read']);
    expect((await gateway.get('/v1/tasks', { key: fresh })).status).toBe(200);
  });
});
