import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@eas/core';
import { createShutdown, drainMs } from './shutdown.ts';

const none = () => {};
const logger: Logger = { error: none, warn: none, info: none, debug: none };

describe('createShutdown', () => {
  it('closes in reverse order of opening, one after another', async () => {
    const shutdown = createShutdown(logger);
    const ended: string[] = [];
    shutdown.onShutdown('database', () => ended.push('database'));
    shutdown.onShutdown('server', async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      ended.push('server');
    });
    expect(await shutdown.run(60_000)).toBe(true);
    expect(ended).toEqual(['server', 'database']);
    expect(shutdown.signal.aborted).toBe(true);
  });

  it('continues after a failed step and reports it', async () => {
    const shutdown = createShutdown(logger);
    let isClosed = false;
    shutdown.onShutdown('database', () => (isClosed = true));
    shutdown.onShutdown('server', () => Promise.reject(new Error('no')));
    expect(await shutdown.run(60_000)).toBe(false);
    expect(isClosed).toBe(true);
  });

  it('does not wait longer than its budget', async () => {
    const shutdown = createShutdown(logger);
    shutdown.onShutdown('server', () => new Promise(none));
    expect(await shutdown.run(30)).toBe(false);
  });

  it('runs once, however often it is called', async () => {
    const shutdown = createShutdown(logger);
    let count = 0;
    shutdown.onShutdown('server', () => (count += 1));
    await Promise.all([shutdown.run(100), shutdown.run(100)]);
    expect(count).toBe(1);
  });
});

describe('drainMs', () => {
  it.each([
    [25_000, 22_000],
    [4_000, 2_000],
    [0, 0],
  ])('of %d ms gives %d to work in hand, the rest to what follows', (remainingMs, given) => {
    expect(drainMs(remainingMs)).toBe(given);
  });
});
