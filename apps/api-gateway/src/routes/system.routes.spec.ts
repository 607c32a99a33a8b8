import { type RouteResponse, FixedBody, type Route } from '@eas/http';
import { describe, expect, it } from '@jest/globals';
import { openApiRoute, systemRoutes } from './system.routes.ts';

const call = (route: Route | undefined): Promise<RouteResponse> | undefined => route?.handler({} as never, {} as never);
const readiness = (result: 'ok' | 'failed', name: string) => async () => ({
  isReady: result === 'ok',
  checks: { [name]: result },
});
const readyz = (own: 'ok' | 'failed', peer: 'ok' | 'failed') => {
  const parts = { check: readiness(own, 'database'), checkPeers: readiness(peer, 'dispatcher'), baseUrl: 'http://x' };
  return call(systemRoutes(parts).find(({ path }) => path === '/readyz'));
};

describe('GET /readyz', () => {
  it('is ready whatever the peers are, and shows them', async () => {
    expect(await readyz('ok', 'failed')).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok' }, peers: { dispatcher: 'failed' } },
    });
  });

  it('is not ready without what it needs itself', async () => {
    expect(await readyz('failed', 'ok')).toMatchObject({ status: 503, body: { status: 'not_ready' } });
  });
});

describe('GET /v1/openapi.json', () => {
  it('is serialised once', async () => {
    let times = 0;
    const route = openApiRoute({ toJSON: () => (times += 1) });
    const responses = [await call(route), await call(route)];
    expect(responses.map((response) => response?.body)).toEqual([expect.any(FixedBody), expect.any(FixedBody)]);
    expect([responses[0]?.body === responses[1]?.body, times]).toEqual([true, 1]);
  });
});
