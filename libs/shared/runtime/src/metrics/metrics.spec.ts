import { describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from './metrics.ts';

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name));
const fresh = (collectMs?: number) => createMetrics({ withDefaults: false, ...(collectMs && { collectMs }) });
const never = () => new Promise<never>(() => {});

describe('a scrape', () => {
  it('does not wait for a slow gauge, keeps its last value and counts the miss', async () => {
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

  it('keeps the last value of a gauge that cannot be read, counts the miss, and reads it again', async () => {
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

describe('the registry of a process', () => {
  it('has measurements of the event loop with its first scrape', async () => {
    const metrics = createMetrics();
    const [line = ''] = await linesOf(metrics, 'nodejs_eventloop_lag_p99_seconds');
    expect(Number(line.split(' ')[1])).toBeGreaterThan(0);
    expect(await linesOf(metrics, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
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
