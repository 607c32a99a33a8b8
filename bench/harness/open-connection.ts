import { connect } from 'node:net';
import { readResponse } from './http-connection.ts';

/** A response, with how long it took in ms and when it came (performance.now()). `head`: its first lines, up to the body. */
export type Reply = { status: number; head: string; body: Record<string, unknown>; tookMs: number; at: number };

/** One HTTP/1.1 connection with one request at a time, for loads whose next request depends on the last response. */
export type Connection = {
  /** Sends an API key, or other headers in its place. Rejects when the connection breaks before the response. */
  send(method: string, path: string, caller: string | Record<string, string>, body?: unknown): Promise<Reply>;
  close(): void;
};

export function openConnection(url: string): Connection {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let pending = '';
  let sentAt = 0;
  let waiter: PromiseWithResolvers<Reply> | undefined;
  const fail = (error: Error) => {
    waiter?.reject(error);
    waiter = undefined;
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    pending += String(chunk);
    const response = readResponse(pending);
    if (response === 'incomplete') return;
    if (response === 'unreadable') return void socket.destroy(new Error('a response without a length'));
    const headEnd = pending.indexOf('\r\n\r\n');
    const head = pending.slice(0, headEnd);
    const text = Buffer.from(pending.slice(headEnd + 4), 'latin1').toString();
    pending = '';
    const at = performance.now();
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    waiter?.resolve({ status: response.status, head, body, tookMs: at - sentAt, at });
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  return {
    send(method, path, caller, body) {
      if (socket.destroyed) return Promise.reject(new Error('the connection was closed'));
      waiter = Promise.withResolvers();
      const text = body === undefined ? '' : JSON.stringify(body);
      const length =
        text === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
      const headers = Object.entries(typeof caller === 'string' ? { 'x-api-key': caller } : caller);
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      sentAt = performance.now();
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines}${length}\r\n${text}`);
      return waiter.promise;
    },
    close: () => void socket.destroy(),
  };
}
