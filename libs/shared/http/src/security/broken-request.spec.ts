import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { z } from 'zod';
import { serveRoutes } from '../served-routes.fixture.ts';
import { defineRoute } from '../index.ts';

const received: unknown[] = [];
const routes = [
  defineRoute({
    method: 'POST',
    path: '/v1/notes',
    summary: 'Make a note',
    tags: ['Notes'],
    access: { scope: 'tasks:write' },
    body: z.object({ title: z.string().max(10) }),
    responses: { 204: { description: 'Made' } },
    errors: [],
    handler: async (_ctx, { body }) => {
      received.push(body);
      return { status: 204 };
    },
  }),
];
const { sendRaw, port } = serveRoutes(routes, { intakeLimits: { stallMs: 1_000 } }, { headersMs: 1_500 });
const head = 'POST /v1/notes HTTP/1.1\r\nHost: x\r\nX-API-Key: good\r\n';

/** The last of the received responses. */
function read(raw: string) {
  const [top = '', text = ''] = raw.slice(raw.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), head: top.toLowerCase(), error: JSON.parse(text).error };
}

describe('an invalid HTTP request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a name', `${head}: x\r\n\r\n`, 400],
    ['a line break inside a header', `${head}X-Request-Id: abcdefgh\nX\u0000Y: 1\r\n\r\n`, 400],
    ['headers over 16 KiB', `${head}X-Large: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['headers that stop coming', head, 408],
    ['a length beside chunks', `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['two lengths', `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`, 400],
    ['a length that is no number', `${head}Content-Length: +5\r\n\r\n{"a":`, 400],
    ['chunks that are not the last coding', `${head}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, 400],
    ['a chunk of no length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
    ['a folded header', `${head}Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n`, 400],
    ['a blank before the colon', `${head}Content-Length : 5\r\n\r\n{"a":`, 400],
  ])('gets an error in the envelope and is cut: %s', async (_name, bytes, expected) => {
    received.length = 0;
    const { status, head: top, error } = read(await sendRaw(bytes));
    expect([status, error.code, error.details, received]).toEqual([expected, 'invalid_request', {}, []]);
    expect(top).toContain(`x-request-id: ${error.request_id}`);
    expect(top).toContain('x-content-type-options: nosniff');
    expect(top).toContain('connection: close');
  });

  it('is a request of HTTP/1.1 without Host', async () => {
    const { status, head: top, error } = read(await sendRaw('POST /v1/notes HTTP/1.1\r\nConnection: close\r\n\r\n'));
    expect([status, error.details]).toEqual([400, { field: 'Host', constraint: 'required' }]);
    expect(top).toContain(`x-request-id: ${error.request_id}`);
  });

  it('is not treated as a second request after the first', async () => {
    received.length = 0;
    const smuggled = `POST /v1/notes HTTP/1.1\r\nHost: x\r\nX-API-Key: good\r\nContent-Length: 13\r\n\r\n{"title":"b"}`;
    const raw = await sendRaw(`${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`);
    expect([raw.split('HTTP/1.1 ').length - 1, received]).toEqual([1, []]);
  });

  it('is cut without a response when one is being sent or the client is gone', async () => {
    const socket = connect(port(), '127.0.0.1', () => socket.write('hello\r\n\r\n', () => socket.resetAndDestroy()));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(await sendRaw(`${head}Connection: close\r\nContent-Length: 13\r\n\r\n{"title":"a"}`)).toContain(
      'HTTP/1.1 204',
    );
  });
});

describe('a body that stalls', () => {
  it.each([
    ['declared', `${head}Content-Length: 10\r\n\r\n{"t`],
    ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n3\r\n{"t\r\n`],
  ])('gets 408 and is cut: %s', async (_name, bytes) => {
    received.length = 0;
    const { status, head: top } = read(await sendRaw(bytes));
    expect([status, received]).toEqual([408, []]);
    expect(top).toContain('connection: close');
  });
});

describe('a whole address as the target', () => {
  it.each(['http://x', 'HTTPS://example.com:8443'])('is read as the path that it names: %s', async (origin) => {
    received.length = 0;
    const lines = `Host: x\r\nX-API-Key: good\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"title":"a"}`;
    const raw = await sendRaw(`POST ${origin}/v1/notes?utm_source=a HTTP/1.1\r\n${lines}`);
    expect([raw.split(' ')[1], received]).toEqual(['204', [{ title: 'a' }]]);
  });
});
