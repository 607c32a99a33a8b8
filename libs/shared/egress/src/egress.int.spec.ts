import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type SinkResponse, startWebhookSink, type WebhookSink } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { createEgress, type Egress, type EgressRequest } from './egress.ts';

const loopback = { allowHttp: true, allowedCidrs: ['127.0.0.0/8'] };

let sink: WebhookSink;
const opened: Egress[] = [];
const open = (options: Parameters<typeof createEgress>[0] = loopback) => {
  const egress = createEgress(options);
  opened.push(egress);
  return egress;
};
const post = (path = '/', extra: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'POST',
  url: `${sink.url}${path}`,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a":"ü"}'),
  ...extra,
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function close(egress: Egress, server: Server): Promise<void> {
  await egress.close();
  await new Promise((resolve) => server.close(resolve));
}

beforeAll(async () => {
  sink = await startWebhookSink();
});
afterEach(async () => {
  for (const egress of opened.splice(0)) await egress.close();
  sink.respondWith({ status: 200 });
});
afterAll(() => sink.close());

describe('egress', () => {
  it('sends the bytes unchanged and returns the response', async () => {
    sink.respondWith({ status: 201, headers: { 'x-mark': 'yes' }, body: 'thanks' });
    const result = await open().send(post('/hook?x=1'));
    expect(result).toMatchObject({ kind: 'response', status: 201, body: Buffer.from('thanks') });
    if (result.kind === 'response') expect(result.headers['x-mark']).toBe('yes');
    expect(sink.requests.at(-1)).toMatchObject({ path: '/hook?x=1', body: Buffer.from('{"a":"ü"}') });
  });

  it('does not follow a redirect', async () => {
    sink.respondWith({ status: 307, headers: { location: `${sink.url}/elsewhere` } });
    expect(await open().send(post('/redirected'))).toMatchObject({ kind: 'response', status: 307 });
    expect(sink.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  it('reads at most 16 KiB of a huge response', async () => {
    sink.respondWith({ status: 200, body: Buffer.alloc(5_000_000, 'a') });
    const result = await open().send(post());
    expect(result).toMatchObject({ kind: 'response', status: 200, isBodyCut: true });
    expect(result.kind === 'response' && result.body.length).toBe(16_384);
  });

  it('reads a response of exactly 16 KiB to its end', async () => {
    sink.respondWith({ status: 200, body: Buffer.alloc(16_384, 'a') });
    const result = await open().send(post());
    expect(result).toMatchObject({ kind: 'response', isBodyCut: false });
    expect(result.kind === 'response' && result.body.length).toBe(16_384);
  });

  it('ends an endless body at its cap', async () => {
    sink.respondWith({ kind: 'endless', bytes: 4_096, everyMs: 2 });
    const before = sink.endlessBytes();
    expect(await open().send(post())).toMatchObject({ kind: 'response', status: 200 });
    expect(sink.endlessBytes() - before).toBeLessThan(200_000);
  });

  it('times out for a response that never comes or comes too late, and for a body that drips', async () => {
    const responses: Record<string, SinkResponse> = {
      '/never': { kind: 'hang' },
      '/late': { status: 200, delayMs: 600_000 },
      '/drips': { kind: 'endless', bytes: 1, everyMs: 20 },
    };
    sink.respondWith(({ path }) => responses[path] ?? { status: 404 });
    const phases = { connectTimeoutMs: hangMs, headersTimeoutMs: hangMs, bodyTimeoutMs: hangMs };
    // Long enough to reach the phase of each.
    const egress = open({ ...loopback, ...phases, deadlineMs: 3_000 });
    const results = await Promise.all(Object.keys(responses).map((path) => egress.send(post(path))));
    expect(results).toMatchObject([
      { kind: 'failure', reason: 'timeout_headers' },
      { kind: 'failure', reason: 'timeout_headers' },
      { kind: 'failure', reason: 'timeout_body' },
    ]);
    for (const { durationMs } of results) expect(durationMs).toBeGreaterThanOrEqual(2_990);
  });

  it('distinguishes a broken connection, a closed port and an unknown name', async () => {
    sink.respondWith({ kind: 'reset' });
    const egress = open();
    const closedPort = await startWebhookSink();
    await closedPort.close();
    expect(await egress.send(post())).toMatchObject({ kind: 'failure', reason: 'reset', isRetried: false });
    expect(await egress.send(post('/', { url: closedPort.url }))).toMatchObject({ reason: 'refused' });
    expect(await egress.send(post('/', { url: 'http://no-such-host.invalid/' }))).toMatchObject({ reason: 'dns' });
  });

  it('refuses the port of another service', async () => {
    const result = await open().send(post('/', { url: 'http://127.0.0.1:6379/' }));
    expect(result).toMatchObject({ kind: 'failure', reason: 'blocked_target' });
  });

  it('returns the time of each phase, and none for a connection that was open', async () => {
    const egress = open({ ...loopback, maxConnectionsPerOrigin: 1 });
    const { port } = new URL(sink.url);
    const url = `http://localhost:${port}/`;
    const whole = expect.any(Number);
    expect(await egress.send(post('/', { url }))).toMatchObject({
      isRetried: false,
      phases: { dnsMs: whole, connectMs: whole, tlsMs: null, firstByteMs: whole, bodyMs: whole },
    });
    expect(await egress.send(post('/', { url }))).toMatchObject({
      phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: whole, bodyMs: whole },
    });
    sink.respondWith({ kind: 'hang' });
    const impatient = open({ ...loopback, headersTimeoutMs: 100 });
    expect(await impatient.send(post())).toMatchObject({
      phases: { dnsMs: null, connectMs: whole, tlsMs: null, firstByteMs: null, bodyMs: null },
    });
  });

  it('uses at most 64 connections to an origin, and sends the rest after them', async () => {
    const held: ServerResponse[] = [];
    let isHolding = true;
    const holding = createHttpServer((_request, response) => {
      if (isHolding) held.push(response);
      else response.end();
    });
    const url = await listen(holding);
    const egress = open();
    const sent = Array.from({ length: 100 }, () => egress.send(post('/', { url })));
    await eventually(() => held.length === 64);
    // Additional requests had the time to arrive.
    await egress.send(post());
    expect(held).toHaveLength(64);
    isHolding = false;
    for (const response of held) response.end();
    const statuses = (await Promise.all(sent)).map((result) => result.kind === 'response' && result.status);
    expect(statuses).toEqual(Array(100).fill(200));
    await close(egress, holding);
  });

  it('never sends a request that was cancelled while it waited for a connection', async () => {
    sink.respondWith({ kind: 'hang' });
    const egress = open({ ...loopback, maxConnectionsPerOrigin: 1 });
    const before = sink.requests.length;
    const giveUps = [new AbortController(), new AbortController()] as const;
    const first = egress.send(post('/first', { signal: giveUps[0].signal }));
    await sink.received(before + 1);
    const second = egress.send(post('/second', { signal: giveUps[1].signal }));
    const third = egress.send(post('/third'));
    giveUps[1].abort();
    expect(await second).toMatchObject({ reason: 'aborted', phases: { connectMs: null } });
    sink.respondWith({ status: 200 });
    giveUps[0].abort();
    expect(await first).toMatchObject({ reason: 'aborted' });
    expect(await third).toMatchObject({ kind: 'response' });
    expect(sink.requests.slice(before).map(({ path }) => path)).toEqual(['/first', '/third']);
  });

  it('refuses a literal private address and a name that resolves to one', async () => {
    const closed = open({ allowHttp: true, allowedCidrs: [] });
    const before = sink.requests.length;
    const port = new URL(sink.url).port;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f000001']) {
      const result = await closed.send(post('/', { url: `http://${host}:${port}/` }));
      expect(result).toMatchObject({ kind: 'failure', reason: 'blocked_target' });
    }
    expect(sink.requests).toHaveLength(before);
  });

  it('refuses plain http unless it is allowed', async () => {
    const closed = open({ allowHttp: false, allowedCidrs: ['127.0.0.0/8'] });
    expect(await closed.send(post())).toMatchObject({ kind: 'failure', reason: 'blocked_target' });
  });

  it('reuses connections', async () => {
    const egress = open();
    const ports = new Set<number | undefined>();
    const counting = createServer((socket) => {
      ports.add(socket.remotePort);
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
      socket.on('error', () => {});
    });
    const url = await listen(counting);
    for (let index = 0; index < 5; index += 1) await egress.send(post('/', { url }));
    await close(egress, counting);
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('gives up when its signal aborts', async () => {
    sink.respondWith({ kind: 'hang' });
    const giveUp = new AbortController();
    const running = open().send(post('/', { signal: giveUp.signal }));
    setTimeout(() => giveUp.abort(), 50);
    expect(await running).toMatchObject({ kind: 'failure', reason: 'aborted' });
  });
});
