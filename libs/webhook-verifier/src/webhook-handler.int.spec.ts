// Deliveries over HTTP: into an Express server, and into a fetch handler behind a plain server.
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import { Webhook } from 'standardwebhooks';
import { type HandlerOptions } from './receive-webhook.ts';
import { type WebhookEvent } from './webhook-event.ts';
import { webhookFetchHandler } from './webhook-fetch-handler.ts';
import { webhookHandler } from './webhook-handler.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const event = {
  event_type: 'task.completed',
  event_id: 'evt_1',
  timestamp: '2026-11-21T10:00:00Z',
  data: { a: 'Grüße' },
};
const body = JSON.stringify(event);

let servers: Server[];
let handled: WebhookEvent[];
let errors: unknown[];
beforeEach(() => void ([servers, handled, errors] = [[], [], []]));
afterEach(() => servers.forEach((server) => server.close().closeAllConnections()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((done) => server.once('listening', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
const optionsOf = (options: Partial<HandlerOptions>): HandlerOptions => ({
  secret,
  onEvent: (one) => handled.push(one),
  onError: (error) => errors.push(error),
  ...options,
});
function signed(text = body): Record<string, string> {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': event.event_id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(event.event_id, now, text),
  };
}
async function post(url: string, text: string | ReadableStream = body, headers = signed()) {
  const init = { method: 'POST', headers, body: text, duplex: 'half' as const };
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as unknown };
}
const refused = (status: number, code: string) => ({ status, body: { error: expect.objectContaining({ code }) } });
const done = { status: 200, body: { ok: true, duplicate: false } };
const duplicate = { status: 200, body: { ok: true, duplicate: true } };

const inExpress = (options: Partial<HandlerOptions>): Promise<string> =>
  serve(express().post('/hook', webhookHandler(optionsOf(options))));

/** What a runtime with fetch handlers does: the request as a `Request`, its body as a stream. */
function inFetch(options: Partial<HandlerOptions>): Promise<string> {
  const handle = webhookFetchHandler(optionsOf(options));
  return serve((request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    const stream = new ReadableStream({
      start(controller) {
        request.on('data', (part: Buffer) => controller.enqueue(new Uint8Array(part)));
        request.on('end', () => controller.close());
      },
      cancel: () => void request.removeAllListeners('data').removeAllListeners('end').resume(),
    });
    const init = { method: 'POST', headers, body: stream, duplex: 'half' as const };
    void handle(new Request(`http://127.0.0.1${request.url}`, init)).then(async (result) => {
      response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
    });
  });
}

describe.each([
  ['webhookHandler in Express', inExpress],
  ['webhookFetchHandler', inFetch],
])('%s', (_name, open) => {
  it('handles a signed event and refuses a changed one', async () => {
    const url = await open({});
    expect(await post(url)).toEqual(done);
    expect(handled).toEqual([event]);
    expect(await post(url, body.replace('evt_1', 'evt_2'))).toEqual(refused(401, 'bad_signature'));
    expect(await post(url, body, { 'content-type': 'application/json' })).toEqual(refused(400, 'missing_header'));
    expect(await post(url, '{}', signed('{}'))).toEqual(refused(400, 'malformed_body'));
    expect(await post(url, body, { ...signed(), 'webhook-timestamp': '1' })).toEqual(refused(401, 'bad_signature'));
    const later = () => new Date(Date.now() + 400_000);
    expect(await post(await open({ now: later }))).toEqual(refused(401, 'too_old'));
    expect([handled.length, errors]).toEqual([1, []]);
  });

  it('acknowledges a duplicate and does not handle it again', async () => {
    const url = await open({ seen: new Set<string>() });
    expect([await post(url), await post(url)]).toEqual([done, duplicate]);
    expect(handled).toHaveLength(1);
  });

  it('responds with 500 when the event was not handled, and handles it when it is sent again', async () => {
    const seen = new Set<string>();
    const failure = Object.assign(new Error('database down'), { status: 410 });
    let failures = 1;
    const onEvent = (one: WebhookEvent) => {
      if (failures-- > 0) throw failure;
      handled.push(one);
    };
    const url = await open({ seen, onEvent });
    const failed = await post(url);
    expect(failed).toEqual(refused(500, 'handler_failed'));
    expect(JSON.stringify(failed)).not.toContain('database');
    expect(errors).toEqual([failure]);
    expect([await post(url), await post(url)]).toEqual([done, duplicate]);
    expect(handled).toHaveLength(1);
  });

  it('lets a delivery that comes while its event is being handled share the outcome', async () => {
    const gate = Promise.withResolvers<void>();
    const onEvent = (one: WebhookEvent) => {
      handled.push(one);
      return handled.length === 1 ? gate.promise : undefined;
    };
    let arrived = 0;
    const now = () => {
      // The clock is read once a delivery; the second one gets to its event before the first one ends.
      if (++arrived === 2) setImmediate(gate.resolve);
      return new Date();
    };
    const url = await open({ seen: new Set<string>(), onEvent, now });
    expect(await Promise.all([post(url), post(url)])).toEqual(expect.arrayContaining([done, duplicate]));
    expect(handled).toHaveLength(1);
  });

  it('still responds with 500 when the error cannot be reported', async () => {
    const fail = () => {
      throw new Error('no');
    };
    expect(await post(await open({ onEvent: fail, onError: fail }))).toEqual(refused(500, 'handler_failed'));
  });

  it('refuses a body above the limit, announced or not', async () => {
    const fits = body + ' '.repeat(262_144 - Buffer.byteLength(body));
    const long = `${fits} `;
    const url = await open({});
    expect(await post(url, fits, signed(fits))).toEqual(done);
    expect(await post(url, long, signed(long))).toEqual(refused(413, 'too_large'));
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(long)) });
    expect(await post(url, endless, signed(long))).toEqual(refused(413, 'too_large'));
    expect(handled).toHaveLength(1);
  });

  it('refuses wrong options when it is made', async () => {
    for (const options of [{ secret: '' }, { secret: [] }, { maxBodyBytes: 0 }, { toleranceSeconds: NaN }]) {
      await expect(async () => open(options)).rejects.toThrow(TypeError);
    }
  });
});

describe('webhookHandler', () => {
  it('takes the raw body from a parser that keeps it', async () => {
    const parsers = [express.raw({ type: '*/*' }), express.text({ type: '*/*' })];
    const verify: Parameters<typeof express.json>[0] = {
      verify: (request, _, raw) => Object.assign(request, { rawBody: raw }),
    };
    for (const parser of [...parsers, express.json(verify)]) {
      const url = await serve(express().post('/hook', parser, webhookHandler(optionsOf({ maxBodyBytes: 500 }))));
      expect(await post(url)).toEqual(done);
      const long = body + ' '.repeat(500);
      expect(await post(url, long, signed(long))).toEqual(refused(413, 'too_large'));
    }
  });

  it('says what is wrong when a parser has read the body', async () => {
    const url = await serve(
      express()
        .use(express.json())
        .post('/hook', webhookHandler(optionsOf({}))),
    );
    expect(await post(url)).toEqual({
      status: 500,
      body: { error: { code: 'body_already_read', message: expect.stringContaining('before body parsers') } },
    });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('express.raw()') })]);
  });

  it('reads the body that a parser has left alone', async () => {
    const leaveAlone: express.RequestHandler = (request, _, next) => {
      request.body = {}; // as the parsers of Express 4
      next();
    };
    expect(
      await post(
        await serve(
          express()
            .use(leaveAlone)
            .post('/hook', webhookHandler(optionsOf({}))),
        ),
      ),
    ).toEqual(done);
    const handler = webhookHandler(optionsOf({}));
    expect(await post(await serve((request, response) => void handler(request, response)))).toEqual(done);
  });

  it('gives the error to no handler of Express, whose status would disable the webhook', async () => {
    const seen: unknown[] = [];
    const onError: ErrorRequestHandler = (error, _request, response, _next) =>
      void (seen.push(error), response.sendStatus(410));
    const fail = () => Promise.reject(Object.assign(new Error('gone'), { status: 410 }));
    const url = await serve(
      express()
        .post('/hook', webhookHandler(optionsOf({ onEvent: fail })))
        .use(onError),
    );
    expect(await post(url)).toEqual(refused(500, 'handler_failed'));
    expect(seen).toEqual([]);
  });

  it('handles nothing of a body that breaks off', async () => {
    const ended = Promise.withResolvers<void>();
    const handler = webhookHandler(optionsOf({}));
    const url = new URL(await serve((request, response) => void handler(request, response).then(ended.resolve)));
    const headers = Object.entries(signed()).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(`POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n${headers.join('')}\r\n${body}`, () =>
        socket.destroy(),
      );
    });
    await ended.promise;
    expect([handled, errors]).toEqual([[], []]);
  });
});

describe('webhookFetchHandler', () => {
  it('says what is wrong when the body has been read', async () => {
    const request = new Request('http://x/', { method: 'POST', headers: signed(), body });
    await request.text();
    expect((await webhookFetchHandler(optionsOf({}))(request)).status).toBe(500);
    expect(errors).toHaveLength(1);
  });

  it('refuses a body that breaks off, and a request without a body', async () => {
    const stream = new ReadableStream({ start: (controller) => controller.error(new Error('broken')) });
    const broken = new Request('http://x/', { method: 'POST', headers: signed(), body: stream, duplex: 'half' });
    const handle = webhookFetchHandler(optionsOf({}));
    expect((await handle(broken)).status).toBe(400);
    expect((await handle(new Request('http://x/'))).status).toBe(400);
    expect([handled, errors]).toEqual([[], []]);
  });
});
