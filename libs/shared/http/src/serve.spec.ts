import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { serve } from './serve.ts';

describe('closing a server', () => {
  it('lets requests in flight finish and ends idle connections', async () => {
    let result: (() => void) | undefined;
    const listening = await serve((_request, response) => void (result = () => response.end('done')), {
      host: '127.0.0.1',
      port: 0,
    });
    const address = `http://127.0.0.1:${listening.port}/`;
    const idle = connect(listening.port, '127.0.0.1').resume();
    const idleEnded = new Promise((resolve) => idle.once('close', resolve));
    const inFlight = fetch(address);
    while (!result) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = listening.close(5_000);
    expect(await fetch(address).catch(() => 'refused')).toBe('refused');
    result();
    expect(await (await inFlight).text()).toBe('done');
    await Promise.all([closed, idleEnded]);
  });

  it('cuts requests that do not finish within the grace period', async () => {
    const listening = await serve(() => {}, { host: '127.0.0.1', port: 0 });
    const hanging = fetch(`http://127.0.0.1:${listening.port}/`).catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listening.close(100);
    expect(await hanging).toBe('cut');
  });

  it('ends after the responses that it cuts have closed', async () => {
    let isClosed = false;
    const arrived = Promise.withResolvers<void>();
    const listening = await serve(
      (_request, response) => {
        response.once('close', () => (isClosed = true));
        arrived.resolve();
      },
      { host: '127.0.0.1', port: 0 },
    );
    const hanging = fetch(`http://127.0.0.1:${listening.port}/`).catch(() => 'cut');
    await arrived.promise;
    await listening.close(10);
    expect(isClosed).toBe(true);
    expect(await hanging).toBe('cut');
  });

  it('sends a slow client the whole response that is written but not yet sent', async () => {
    const bytes = 20_000_000;
    const listening = await serve((_request, response) => response.end(Buffer.alloc(bytes)), {
      host: '127.0.0.1',
      port: 0,
    });
    const client = connect(listening.port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(client, 'readable');
    const closed = listening.close(60_000);
    const received = await buffer(client);
    expect(received.length - received.indexOf('\r\n\r\n') - 4).toBe(bytes);
    await closed;
  });

  it('waits for a partially received request', async () => {
    const listening = await serve((_request, response) => response.end('whole'), { host: '127.0.0.1', port: 0 });
    const client = connect(listening.port, '127.0.0.1');
    const accepted = once(listening.server, 'connection');
    client.write('GET / HTTP/1.1\r\n');
    const [socket] = await accepted;
    while (socket.bytesRead === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = listening.close(60_000);
    client.write('Host: here\r\n\r\n');
    expect(String(await buffer(client))).toMatch(/^HTTP\/1.1 200[^]*whole$/);
    await closed;
  });

  it('accepts requests for a while before, and closes the connection with each response, also of those in flight', async () => {
    let respond: (() => void) | undefined;
    const listening = await serve(
      (request, response) => {
        if (request.url === '/slow') respond = () => void response.end('slow');
        else response.end('quick');
      },
      { host: '127.0.0.1', port: 0 },
    );
    const address = `http://127.0.0.1:${listening.port}`;
    expect((await fetch(`${address}/quick`)).headers.get('connection')).toBe('keep-alive');
    const slow = fetch(`${address}/slow`);
    while (!respond) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = listening.close(60_000, 3_000);
    const late = await fetch(`${address}/quick`);
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
    respond();
    expect((await slow).headers.get('connection')).toBe('close');
    await closed;
    expect(await fetch(address).catch(() => 'refused')).toBe('refused');
  });

  it('rejects when the port is taken, and names the setting', async () => {
    const listening = await serve(() => {}, { host: '127.0.0.1', port: 0 });
    await expect(serve(() => {}, { host: '127.0.0.1', port: listening.port })).rejects.toThrow(
      `The port at http://127.0.0.1:${listening.port}/ (PORT) cannot be used: listen EADDRINUSE`,
    );
    await listening.close(0);
  });
});
