// Sections 1, 4 and 9: the endpoints of the REST API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, ok } from './call.ts';

type Endpoint = { method: 'GET' | 'POST'; path: string; body?: object };

/** As the document lists them; ids are of nothing. */
export const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/agents' },
  { method: 'GET', path: '/v1/agents/none' },
  { method: 'POST', path: '/v1/tasks', body: {} },
  { method: 'GET', path: '/v1/tasks' },
  { method: 'GET', path: '/v1/tasks/none' },
  { method: 'GET', path: '/v1/workflows' },
  { method: 'POST', path: '/v1/workflows/none/start', body: { name: 'None' } },
  { method: 'GET', path: '/v1/integrations' },
  { method: 'GET', path: '/v1/analytics/performance' },
  { method: 'POST', path: '/v1/webhooks', body: {} },
];

describe('1 requests and responses are JSON', () => {
  for (const { method, path, body } of endpoints)
    it(`${method} ${path} responds with JSON`, async () => {
      const reply = await call(path, { method, body });
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json(;|$)/);
      assert.equal(typeof reply.body, 'object');
    });
});

describe('9 versions', () => {
  it('/v1/ is the prefix of paths', async () => {
    assert.ok(await ok('/v1/tasks'));
    assert.equal((await call('/tasks')).status, 404);
  });
  it('/v2/ is not available yet', async () => {
    const { status, body } = await call('/v2/tasks');
    assert.deepEqual([status, body.error.code], [404, 'not_found']);
  });
});
