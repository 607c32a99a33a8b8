import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEgress } from './egress.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
// A single connection: the second request waits for it.
const options = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'], maxConnectionsPerOrigin: 1 };

let server: Server | undefined;
const connections: string[][] = [];

/** Calls `react` for each request with the number of its connection and its own number on it, from 1. */
async function listen(react: (socket: Socket, connection: number, request: number) => void): Promise<string> {
  server = createServer((socket) => {
    const requests: string[] = [];
    const connection = connections.push(requests);
    socket.on('error', () => {});
    socket.on('data', (chunk) => react(socket, connection, requests.push(chunk.toString())));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

afterEach(async () => {
  connections.length = 0;
  await new Promise((resolve) => server?.close(resolve));
});

async function sendTwice(url: string) {
  const way = createEgress(options);
  const request = { method: 'POST', url, headers: {}, body: 'the same' } as const;
  const results = [await way.send(request), await way.send(request)];
  await way.close();
  return results;
}

describe('a connection that was kept alive', () => {
  it.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.end()],
  ])('is replaced once when it is %s instead of a response', async (_name, breakOff) => {
    const url = await listen((socket, connection, request) =>
      connection === 1 && request === 2 ? breakOff(socket) : socket.write(ok),
    );
    const [first, second] = await sendTwice(url);
    expect(first).toMatchObject({ kind: 'response', isRetried: false });
    expect(second).toMatchObject({ kind: 'response', status: 200, isRetried: true });
    expect(second?.phases.connectMs).toEqual(expect.any(Number));
    expect(connections.map(({ length }) => length)).toEqual([2, 1]);
    expect(connections[1]?.[0]).toBe(connections[0]?.[1]);
  });

  it('is not replaced twice', async () => {
    const url = await listen((socket, connection, request) =>
      connection === 1 && request === 1 ? socket.write(ok) : socket.resetAndDestroy(),
    );
    const [, second] = await sendTwice(url);
    expect(second).toMatchObject({ kind: 'failure', reason: 'reset', isRetried: true });
    expect(connections.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('is not replaced after the first byte of a response', async () => {
    const url = await listen((socket, _connection, request) =>
      request === 1 ? socket.write(ok) : socket.write('H', () => socket.resetAndDestroy()),
    );
    const [, second] = await sendTwice(url);
    expect(second).toMatchObject({ kind: 'failure', reason: 'reset', isRetried: false });
    expect(connections.map(({ length }) => length)).toEqual([2]);
  });

  it('is not replaced when the receiver does not respond in time', async () => {
    const url = await listen((socket, _connection, request) => request === 1 && socket.write(ok));
    const way = createEgress({ ...options, headersTimeoutMs: 2_000 });
    const request = { method: 'POST', url, headers: {}, body: 'the same' } as const;
    expect(await way.send(request)).toMatchObject({ kind: 'response' });
    expect(await way.send(request)).toMatchObject({ reason: 'timeout_headers', isRetried: false });
    await way.close();
    expect(connections.map(({ length }) => length)).toEqual([2]);
  });
});
