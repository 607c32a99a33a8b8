import { describe, expect, it } from '@jest/globals';
import { startLoop } from '../start-loop.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchLoops, watchReadiness } from './process-metrics.ts';

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name));
const fresh = (collectMs?: number) => createMetrics({ withDefaults: false, ...(collectMs && { collectMs }) });
const never = () => new Promise<never>(() => {});
const silent = { error() {}, warn() {}, info() {}, debug() {} };

describe('a scrape', () => {
  it('does not wait for a gauge that takes long, keeps its last value and counts it', async () => {
    const metrics = fresh(50);
    let read: () => Promise<number> = async () => 7;
    let reads = 0;
    metrics.gauge('eas_tasks', async (gauge) => {
      reads += 1;
      gauge.set({ status: 'open' }, await read());
    });
    metrics.gauge('eas_db_waiting', (gauge) => gauge.set(3));
    await linesOf(metrics, 'eas_tasks');
    read = never;
    expect(await linesOf(metrics, 'eas_tasks')).toEqual(['eas_tasks{status="open"} 7']);
    expect(await linesOf(metrics, 'eas_db_waiting')).toEqual(['eas_db_waiting 3']);
    expect(await linesOf(metrics, 'eas_metrics_missed_total')).toEqual([
      'eas_metrics_missed_total{metric="eas_tasks"} 2',
    ]);
    expect(reads).toBe(2);
  });

  it('keeps the last value of a gauge whose reading fails, counts it, and reads it again', async () => {
    const metrics = fresh();
    const values = [() => 1, () => Promise.reject(new Error('away')), () => 2];
    metrics.gauge('eas_db_waiting', async (gauge) => gauge.set(await (values.shift() ?? never)()));
    expect(await linesOf(metrics, 'eas_db_waiting')).toEqual(['eas_db_waiting 1']);
    expect(await linesOf(metrics, 'eas_db_waiting')).toEqual(['eas_db_waiting 1']);
    expect(await linesOf(metrics, 'eas_db_waiting')).toEqual(['eas_db_waiting 2']);
    metrics.registry.removeSingleMetric('eas_db_waiting');
    expect(await linesOf(metrics, 'eas_metrics_missed_total')).toEqual([
      'eas_metrics_missed_total{metric="eas_db_waiting"} 1',
    ]);
  });
});

describe('a counter whose label has known values', () => {
  it('has their series from the start, so that the first count is an increase', async () => {
    const metrics = fresh();
    metrics.counter('eas_jobs_stalled_total');
    metrics.counter('eas_leases_expired_total').inc({ reason: 'lost' }, 12);
    expect(await linesOf(metrics, 'eas_jobs_stalled_total')).toEqual(
      ['workflow', 'webhooks', 'analytics'].map((queue) => `eas_jobs_stalled_total{queue="${queue}"} 0`),
    );
    expect(await linesOf(metrics, 'eas_leases_expired_total')).toEqual([
      'eas_leases_expired_total{reason="lost"} 12',
      'eas_leases_expired_total{reason="unrevived"} 0',
    ]);
  });
});

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
  it('counts the failed runs of a loop since its last good one, while the loop runs', async () => {
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
