import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { z } from 'zod';
import { serveRoutes } from '../served-routes.fixture.ts';
import { type Access, defineRoute } from '../index.ts';

const takes = (path: string, access: Access) =>
  defineRoute({
    method: 'POST',
    path,
    summary: 'Take a body',
    tags: ['Bodies'],
    access,
    ...(typeof access === 'object' && 'signature' in access ? {} : { body: z.looseObject({}) }),
    responses: { 204: { description: 'Taken' } },
    errors: [],
    handler: async () => ({ status: 204 }),
  });
const cuts: string[] = [];
const { port, call } = serveRoutes(
  [takes('/v1/bodies', { scope: 'tasks:write' }), takes('/webhook/bodies', { signature: true })],
  {
    // A pause of the machine is not a stall.
    intakeLimits: { stallMs: 3_000, graceMs: 3_000, maxUnfinishedOfAddress: 1_000, bytesPerSecondOfAddress: 1e9 },
    onBodyCut: (reason) => void cuts.push(reason),
  },
);

const filler = Buffer.alloc(1_048_576, 0x20);

/**
 * Sends headers and megabytes like a client that reads nothing before everything is sent. Returns the status or the
 * error.
 */
function sendAll(head: string, megabytes: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write(head);
      for (let sent = 0; sent < megabytes; sent += 1) socket.write(filler);
    });
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.once('close', () => resolve(text.split(' ')[1] ?? 'nothing'));
  });
}

const head = (path: string, more: string, megabytes = 8) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}Content-Length: ${megabytes * 1_048_576}\r\n\r\n`;

describe('a response before the end of the body', () => {
  it.each([
    ['a webhook that is too large', '/webhook/bodies', '', '413'],
    ['a body that is too large', '/v1/bodies', 'X-API-Key: good\r\n', '413'],
    ['a body of an unknown caller', '/v1/bodies', '', '401'],
    ['a body of another type', '/v1/bodies', 'X-API-Key: good\r\nContent-Type: text/html\r\n', '413'],
    ['a body for nothing', '/v1/nothing', '', '404'],
  ])('reaches every client that sends all of it first: %s', async (_name, path, more, expected) => {
    const statuses = await Promise.all(Array.from({ length: 40 }, () => sendAll(head(path, more), 8)));
    expect(statuses).toEqual(Array(40).fill(expected));
  });

  it('reaches a client that never ends its body', async () => {
    expect(await sendAll(head('/webhook/bodies', '', 16), 3)).toBe('413');
  });

  it('reaches a client that sends chunks beyond the bound', async () => {
    const chunk = `100000\r\n${' '.repeat(1_048_576)}\r\n`;
    const top = 'POST /webhook/bodies HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await sendAll(`${top}${chunk.repeat(7)}0\r\n\r\n`, 0)).toBe('413');
  });
});

describe('256 slow senders', () => {
  it('do not block other senders, and are cut', async () => {
    cuts.length = 0;
    const top = 'POST /webhook/bodies HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{';
    const slow = Array.from({ length: 256 }, () => sendAll(top, 0));
    while (!cuts.includes('slow')) {
      expect((await call('POST', '/webhook/bodies', { body: '{}' })).status).toBe(204);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['408']));
    expect(cuts).toHaveLength(256);
  });
});
