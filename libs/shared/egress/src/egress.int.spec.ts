import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startWebhookSink, type WebhookSink } from '@eas/testing';
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

beforeAll(async () => {
  sink = await startWebhookSink();
});
afterEach(async () => {
  for (const egress of opened.splice(0)) await egress.close();
  sink.respondWith({ status: 200 });
});
afterAll(() => sink.close());

describe('egress', () => {
  it('sends the bytes as they are and gives the response', async () => {
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

  it('reads 16 KiB of a huge response and no more', async () => {
    sink.respondWith({ status: 200, body: Buffer.alloc(5_000_000, 'a') });
    const result = await open().send(post());
    expect(result.kind === 'response' && result.body.length).toBe(16_384);
  });

  it('ends a body that never ends at its cap', async () => {
    sink.respondWith({ kind: 'endless', bytes: 4_096, everyMs: 2 });
    const before = sink.endlessBytes();
    expect(await open().send(post())).toMatchObject({ kind: 'response', status: 200 });
    expect(sink.endlessBytes() - before).toBeLessThan(200_000);
  });

  it.each([
    ['a response that never comes', { kind: 'hang' as const }],
    ['a body that drips', { kind: 'endless' as const, bytes: 1, everyMs: 20 }],
    ['a response that comes too late', { status: 200, delayMs: 600_000 }],
  ])('gives %s up at the deadline', async (_name, response) => {
    sink.respondWith(response);
    const result = await open({ ...loopback, deadlineMs: 300 }).send(post());
    expect(result).toMatchObject({ kind: 'failure', reason: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(290);
  });

  it('distinguishes a broken connection, a closed port and an unknown name', async () => {
    sink.respondWith({ kind: 'reset' });
    const egress = open();
    expect(await egress.send(post())).toMatchObject({ kind: 'failure', reason: 'reset' });
    expect(await egress.send(post('/', { url: 'http://127.0.0.1:1/' }))).toMatchObject({ reason: 'connect' });
    expect(await egress.send(post('/', { url: 'http://no-such-host.invalid/' }))).toMatchObject({ reason: 'dns' });
  });

  it('refuses a literal private address and a name that leads to one', async () => {
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
    const counting: Server = createServer((socket) => {
      ports.add(socket.remotePort);
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
    const address = counting.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
    for (let index = 0; index < 5; index += 1) await egress.send(post('/', { url }));
    await egress.close();
    await new Promise((resolve) => counting.close(resolve));
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
