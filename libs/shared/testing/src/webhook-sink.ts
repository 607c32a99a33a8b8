import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hangMs } from './eventually.ts';

/** A received request: headers in lower case, the body byte for byte. */
export type SinkRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  receivedAt: Date;
};

/**
 * How the sink responds; with `after` once that has settled. `hang` never responds, `reset` breaks the connection,
 * `endless` sends headers and then a body that never ends (`everyMs` between pieces of `bytes` bytes).
 */
export type SinkResponse =
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
      after?: Promise<unknown>;
    }
  | { kind: 'hang' }
  | { kind: 'reset' }
  | { kind: 'endless'; status?: number; bytes: number; everyMs: number };

/** Decides the response to the request; `number` counts all requests from 1. */
type SinkScript = (request: SinkRequest, number: number) => SinkResponse;

export type WebhookSink = {
  /** Base address, without a slash at its end. */
  url: string;
  requests: SinkRequest[];
  /** Sets the response to all that follows; 200 until then. */
  respondWith(script: SinkResponse | SinkScript): void;
  /** The first `count` requests, as soon as they are there; rejects after `timeoutMs`. */
  received(count: number, timeoutMs?: number): Promise<SinkRequest[]>;
  /** The first request that fits. */
  waitFor(predicate: (request: SinkRequest) => boolean, timeoutMs?: number): Promise<SinkRequest>;
  /** Bytes of `endless` bodies that clients have read so far. */
  endlessBytes(): number;
  /** Most requests that were open at one moment. */
  maxOpen(): number;
  close(): Promise<void>;
};

/** A real HTTP server that receives webhooks on a free port of 127.0.0.1, for tests and demos. */
export async function startWebhookSink(port = 0): Promise<WebhookSink> {
  const requests: SinkRequest[] = [];
  const checks = new Set<() => void>();
  const sockets = new Set<Socket>();
  let script: SinkScript = () => ({ status: 200 });
  let open = 0;
  let maxOpen = 0;
  let endlessBytes = 0;

  const server = createServer((incoming, response) => {
    open += 1;
    maxOpen = Math.max(maxOpen, open);
    response.once('close', () => (open -= 1));
    void readRequest(incoming).then((request) => {
      requests.push(request);
      const result = script(request, requests.length);
      for (const check of [...checks]) check();
      give(result, response, (bytes) => (endlessBytes += bytes));
    }, ignoreBrokenRequest);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  function until<T>(find: () => T | undefined, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        checks.delete(check);
        reject(
          new Error(`the sink has ${requests.length} requests after ${timeoutMs} ms, and not what was waited for`),
        );
      }, timeoutMs);
      const check = () => {
        const found = find();
        if (found === undefined) return;
        clearTimeout(timer);
        checks.delete(check);
        resolve(found);
      };
      checks.add(check);
      check();
    });
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith: (next) => (script = typeof next === 'function' ? next : () => next),
    received: (count, timeoutMs = hangMs) =>
      until(() => (requests.length >= count ? requests.slice(0, count) : undefined), timeoutMs),
    waitFor: (predicate, timeoutMs = hangMs) => until(() => requests.find(predicate), timeoutMs),
    endlessBytes: () => endlessBytes,
    maxOpen: () => maxOpen,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ignoreBrokenRequest(): void {}

async function readRequest(incoming: IncomingMessage): Promise<SinkRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    body: Buffer.concat(chunks),
    receivedAt: new Date(),
  };
}

function give(result: SinkResponse, response: ServerResponse, count: (bytes: number) => void): void {
  if (!('kind' in result)) {
    const reply = () => response.writeHead(result.status, result.headers).end(result.body);
    if (result.after) void result.after.finally(reply);
    else if (result.delayMs) setTimeout(reply, result.delayMs).unref();
    else reply();
    return;
  }
  if (result.kind === 'hang') return;
  if (result.kind === 'reset') return void response.socket?.destroy();
  response.writeHead(result.status ?? 200);
  const piece = Buffer.alloc(result.bytes, 'x');
  const timer = setInterval(() => {
    if (response.write(piece)) count(piece.length);
  }, result.everyMs);
  response.once('close', () => clearInterval(timer));
}
