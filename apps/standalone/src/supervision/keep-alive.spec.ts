import { describe, expect, it } from '@jest/globals';
import { keepAlive, type Running } from './keep-alive.ts';

/** A thing that ends when the test says so. */
function controlled() {
  const ends: ((reason: string) => void)[] = [];
  const start = async (): Promise<Running> => {
    let end: (reason: string) => void = () => {};
    const exited = new Promise<string>((resolve) => (end = resolve));
    ends.push(end);
    return { exited, stop: async () => end('stopped') };
  };
  const started = async (count: number) => {
    while (ends.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { start, started, ends };
}

describe('keepAlive', () => {
  it('reports each death and waits twice as long each time', async () => {
    const { start, started, ends } = controlled();
    const deaths: [string, number][] = [];
    const kept = keepAlive({
      name: 'app',
      start,
      onDeath: ({ reason, restartInMs }) => deaths.push([reason, restartInMs]),
    });
    await started(1);
    ends[0]?.('ended by SIGKILL');
    await started(2);
    ends[1]?.('ended with exit code 1');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await kept.stop(0);
    expect(deaths).toEqual([
      ['ended by SIGKILL', 500],
      ['ended with exit code 1', 1_000],
    ]);
    expect(ends).toHaveLength(2);
  });

  it('counts a failed start as a death', async () => {
    const deaths: string[] = [];
    const start = () => Promise.reject(new Error('no such file'));
    const kept = keepAlive({ name: 'app', start, onDeath: ({ reason }) => deaths.push(reason) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await kept.stop(0);
    expect(deaths).toEqual(['no such file']);
    expect(kept.deaths()).toBe(1);
  });

  it('stops what runs and does not start it again', async () => {
    const { start, started, ends } = controlled();
    const kept = keepAlive({ name: 'app', start, onDeath: () => {} });
    await started(1);
    await kept.stop(0);
    expect(kept.deaths()).toBe(0);
    expect(ends).toHaveLength(1);
  });

  it('starts again at once when asked to, without counting a death', async () => {
    const { start, started } = controlled();
    const kept = keepAlive({ name: 'app', start, onDeath: () => {} });
    await started(1);
    await kept.restart(0);
    await started(2);
    expect(kept.deaths()).toBe(0);
    await kept.stop(0);
  });

  it('starts at once when asked to while it waits', async () => {
    const { start, started, ends } = controlled();
    const kept = keepAlive({ name: 'app', start, delayMs: () => 60_000, onDeath: () => void kept.restart(0) });
    await started(1);
    ends[0]?.('ended with exit code 1');
    await started(2);
    await kept.stop(0);
  });
});
