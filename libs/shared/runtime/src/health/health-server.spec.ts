import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { startHealthServer } from './health-server.ts';

describe('the port for health and metrics', () => {
  it.each(['/metrics', '/livez', '/readyz', '/other'])('accepts only GET and HEAD: %s', async (path) => {
    const server = await startHealthServer({ host: '127.0.0.1', port: 0, checks: {}, registry: new Registry() });
    const url = `http://127.0.0.1:${server.port}${path}`;
    const found = path === '/other' ? 404 : 200;
    for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(found);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await fetch(url, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
    await server.close();
  });
});
