import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { waitUntilReady, type WaitOptions } from './wait-until-ready.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** Not ready for this number of requests, for a reason. */
async function serveAfter(requests: number): Promise<string> {
  let seen = 0;
  server = createServer((_request, response) => {
    seen += 1;
    const isReady = seen > requests;
    response
      .writeHead(isReady ? 200 : 503)
      .end(JSON.stringify({ checks: { queue: isReady ? 'ok' : 'no connection' } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const wait = async (healthUrl: string, more: Partial<WaitOptions> = {}) => {
  const said: string[] = [];
  await waitUntilReady({
    apps: [{ name: 'api-gateway', healthUrl }],
    kept: [],
    publicUrl: healthUrl,
    lastErrorOf: () => 'it cannot',
    say: (line) => void said.push(line),
    signal: new AbortController().signal,
    sayEveryMs: 1,
    ...more,
  });
  return said;
};

describe('waiting for the apps', () => {
  it('goes on as long as they respond, and says what it waits for', async () => {
    const said = await wait(await serveAfter(6), { silenceMs: 60_000 });
    expect(said.length).toBeGreaterThan(0);
    expect(said[0]).toMatch(
      /^still starting after \d+ s: waiting for api-gateway \(queue: no connection\), the gateway \(queue: no connection\)$/,
    );
  });

  it('ends when nothing has responded for long', async () => {
    await expect(wait('http://127.0.0.1:9', { silenceMs: 1 })).rejects.toThrow(
      'No response for 0.001 s from api-gateway, the gateway. See the logs folder of DATA_DIR.',
    );
  });

  it('ends when an app ends again and again, with its last error', async () => {
    const kept = [{ name: 'api-gateway', deaths: () => 3 }];
    await expect(wait('http://127.0.0.1:9', { kept })).rejects.toThrow('An app does not start: it cannot.');
  });
});
