import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Listening, mountRoutes, serve, webhookRoutes } from '../index.ts';

const silent = { error() {}, warn() {}, info() {}, debug() {} };
type Received = { line: string; host: string | undefined; body: string; names: string };
const received: Received[] = [];
let receiver: Server;
let gateway: Listening;

beforeAll(async () => {
  // It receives whatever Node parses as a request, one after the other on a connection.
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('latin1').on('data', (text) => (body += text));
    request.on('end', () => {
      const { method, url, headers, rawHeaders, rawTrailers } = request;
      const names = [...rawHeaders, ...rawTrailers].join('\n').toLowerCase();
      received.push({ line: `${method} ${url}`, host: headers.host, body, names });
      response.writeHead(200).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const never = () => {
    throw new Error('not asked');
  };
  const app = mountRoutes(webhookRoutes({ target, secret: 's' }), {
    authenticate: never,
    makeContext: never,
    logger: silent,
  });
  gateway = await serve(app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await gateway.close(100);
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => void (received.length = 0));

/** Writes the bytes, and returns the statuses of responses until there are enough or the connection ends. */
function statusesOf(bytes: string, count = 1): Promise<number[]> {
  return new Promise((resolve) => {
    let text = '';
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    const socket = connect(gateway.port, '127.0.0.1', () => void socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (statuses().length >= count) socket.destroy();
    });
    socket.on('error', () => {}).once('close', () => resolve(statuses()));
  });
}

const path = '/webhook/taskplatform';
const hidden = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunked = (text: string) => `Transfer-Encoding: chunked\r\n\r\n${chunk(text)}0\r\n\r\n`;
const request = (method: string, rest: string) => `${method} ${path} HTTP/1.1\r\nHost: a.example\r\n${rest}`;

describe('a request inside the body of another one', () => {
  it.each(['DELETE', 'GET', 'OPTIONS', 'PATCH', 'HEAD'])('does not get through with a chunked %s', async (method) => {
    expect(await statusesOf(request(method, chunked(hidden)))).toEqual([405]);
    expect(received).toEqual([]);
  });

  it('stays the body of a chunked POST', async () => {
    expect(await statusesOf(request('POST', chunked(hidden)))).toEqual([200]);
    expect(received).toMatchObject([{ line: `POST ${path}`, host: 'a.example', body: hidden }]);
  });

  it.each([
    ['a length beside chunks', `Content-Length: 4\r\n${chunked(hidden)}`],
    ['chunks beside a length', `Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n${hidden}`],
    ['two lengths', `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ['a folded Transfer-Encoding', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${hidden}`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a coding after chunked', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`],
    ['a blank before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a line that ends in LF alone', `X: y\nTransfer-Encoding: chunked\n\r\n0\r\n\r\n${hidden}`],
  ])('does not get through with %s', async (_name, rest) => {
    expect(await statusesOf(request('POST', rest), 2)).toEqual([400]);
    expect(received.filter(({ host }) => host === 'localhost')).toEqual([]);
  });
});

describe("a sender's permitted options", () => {
  it('include several requests at once: each is passed on separately', async () => {
    const bytes = ['{"a":1}', '{"b":2}', '{"c":3}'].map((body) => request('POST', chunked(body))).join('');
    expect(await statusesOf(bytes, 3)).toEqual([200, 200, 200]);
    expect(received.map(({ body }) => body)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  });

  it('include waiting for 100 Continue, which is not passed on', async () => {
    expect(await statusesOf(request('POST', 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}'), 2)).toEqual([
      100, 200,
    ]);
    expect(received).toMatchObject([{ body: '{}', names: expect.not.stringContaining('expect') }]);
  });

  it('include an absolute target, whose host counts', async () => {
    const bytes = `POST http://b.example${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`;
    expect(await statusesOf(bytes)).toEqual([200]);
    expect(received).toMatchObject([{ line: `POST ${path}`, host: 'b.example' }]);
  });

  it('include trailers, which are not read', async () => {
    const rest = `Trailer: X-Signature\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('{}')}0\r\nX-Signature: ab\r\n\r\n`;
    expect(await statusesOf(request('POST', rest))).toEqual([200]);
    expect(received).toMatchObject([{ body: '{}', names: expect.not.stringMatching(/signature|trailer/) }]);
  });

  it("do not include removing the gateway's headers", async () => {
    const rest = 'Connection: close, x-gateway-proof, x-gateway-caller\r\nContent-Length: 2\r\n\r\n{}';
    expect(await statusesOf(request('POST', rest))).toEqual([200]);
    expect(received).toMatchObject([{ names: expect.stringContaining('x-gateway-proof\ns\n') }]);
  });
});
