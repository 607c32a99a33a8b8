import { describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { startLoop } from './start-loop.ts';
import { watchLoops, watchReadiness } from './watch-process.ts';

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name));
const fresh = () => createMetrics({ withDefaults: false });
const never = () => new Promise<never>(() => {});
const silent = { error() {}, warn() {}, info() {}, debug() {} };

describe('eas_ready', () => {
  it('is 0 for a check that fails or hangs, and 1 again when it passes', async () => {
    const metrics = fresh();
    let check: () => Promise<unknown> = async () => {};
    watchReadiness(metrics, { database: () => check(), queue: async () => {} }, 50);
    const scrape = () => linesOf(metrics, 'eas_ready');
    const up = ['eas_ready{check="database"} 1', 'eas_ready{check="queue"} 1'];
    const down = ['eas_ready{check="database"} 0', 'eas_ready{check="queue"} 1'];
    expect(await scrape()).toEqual(up);
    check = () => Promise.reject(new Error('refused'));
    expect(await scrape()).toEqual(down);
    check = never;
    expect(await scrape()).toEqual(down);
    check = async () => {};
    expect(await scrape()).toEqual(up);
  });
});

describe('eas_loop_failed_runs', () => {
  it('counts the failed runs of a loop since its last successful one, while the loop runs', async () => {
    const metrics = fresh();
    watchLoops(metrics);
    const ends: ((error?: Error) => void)[] = [];
    const run = () => new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
    const loop = startLoop({ name: 'presence', everyMs: 0, run, logger: silent });
    const end = async (error?: Error) => {
      const [nth, before] = [ends.length, ends.at(-1)];
      before?.(error);
      while (ends.length === nth) await new Promise((resolve) => setImmediate(resolve));
      return linesOf(metrics, 'eas_loop_failed_runs');
    };
    while (ends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await linesOf(metrics, 'eas_loop_failed_runs')).toEqual(['eas_loop_failed_runs{loop="presence"} 0']);
    expect(await end(new Error('one'))).toEqual(['eas_loop_failed_runs{loop="presence"} 1']);
    expect(await end(new Error('two'))).toEqual(['eas_loop_failed_runs{loop="presence"} 2']);
    expect(await end()).toEqual(['eas_loop_failed_runs{loop="presence"} 0']);
    const stopped = loop.stop();
    ends.at(-1)?.();
    await stopped;
    expect(await linesOf(metrics, 'eas_loop_failed_runs')).toEqual([]);
  });
});
