import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { serve } from './serve.ts';

describe('closing a server', () => {
  it('lets what is in flight finish and ends idle connections', async () => {
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

  it('cuts what does not finish within the grace', async () => {
    const listening = await serve(() => {}, { host: '127.0.0.1', port: 0 });
    const hanging = fetch(`http://127.0.0.1:${listening.port}/`).catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listening.close(100);
    expect(await hanging).toBe('cut');
  });

  it('takes requests for a while before, and says to each that its connection ends, also to those in flight', async () => {
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
