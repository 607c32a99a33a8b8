import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keepReadiness, peerChecks, runChecks } from './readiness.ts';

describe('runChecks', () => {
  it('is ready when every check is', async () => {
    expect(await runChecks({ database: async () => {}, queue: () => true })).toEqual({
      isReady: true,
      checks: { database: 'ok', queue: 'ok' },
    });
  });

  it('distinguishes a check that fails from one that does not respond', async () => {
    const checks = {
      database: () => Promise.reject(new Error('away')),
      queue: () => new Promise(() => {}),
      clock: () => {
        throw new Error('broken');
      },
    };
    expect(await runChecks(checks, 20)).toEqual({
      isReady: false,
      checks: { database: 'failed', queue: 'timeout', clock: 'failed' },
    });
  });
});

describe('keepReadiness', () => {
  it('runs the checks once for concurrent callers, and again after a while', async () => {
    let runs = 0;
    const database = () => new Promise((resolve) => setTimeout(resolve, 5, (runs += 1)));
    const ask = keepReadiness({ database }, 600_000);
    await Promise.all([ask(), ask(), ask()]);
    expect([(await ask()).isReady, runs]).toEqual([true, 1]);
    const askLater = keepReadiness({ database }, 0);
    await askLater();
    await askLater();
    expect(runs).toBe(3);
  });
});

describe('peerChecks', () => {
  it('calls each peer by its address and shows only its name', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/a/readyz' ? 200 : 503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { checks } = await runChecks(peerChecks([`webhook-receiver=${base}/a`, `${base}/b?c=d`]));
    server.close();
    server.closeAllConnections();
    expect(checks).toEqual({ 'webhook-receiver': 'ok', 'peer-2': 'failed' });
  });
});
