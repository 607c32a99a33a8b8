import { describe, expect, it } from '@jest/globals';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchTogether } from './watch-together.ts';

type State = { waiting: number | undefined; tasks: Record<string, number | undefined> };

const linesOf = async ({ registry }: Metrics) =>
  (await registry.metrics()).split('\n').filter((line) => /^eas_\w+(\{.*\})? /.test(line));

function watch({ everyMs, read }: { everyMs: number; read: () => Promise<State> }): Metrics {
  const metrics = createMetrics({ withDefaults: false, collectMs: 1_000 });
  watchTogether(
    metrics,
    { read, everyMs },
    { eas_db_waiting: ({ waiting }) => waiting, eas_tasks: ({ tasks }) => tasks },
  );
  return metrics;
}

describe('gauges of one reading', () => {
  it('are read once for a scrape, and again when the reading is too old', async () => {
    let reads = 0;
    const read = async () => ({ waiting: (reads += 1), tasks: { open: reads } });
    const rarely = watch({ everyMs: 600_000, read });
    for (const _scrape of [1, 2])
      expect(await linesOf(rarely)).toEqual(['eas_db_waiting 1', 'eas_tasks{status="open"} 1']);
    const often = watch({ everyMs: 0, read });
    await linesOf(often);
    expect(await linesOf(often)).toEqual(['eas_db_waiting 3', 'eas_tasks{status="open"} 3']);
  });

  it('are absent for what is not known, also when it was known before', async () => {
    const states: State[] = [
      { waiting: 1, tasks: { open: 2, failed: undefined } },
      { waiting: undefined, tasks: { failed: 3 } },
    ];
    const metrics = watch({ everyMs: 0, read: async () => states.shift() ?? { waiting: 0, tasks: {} } });
    expect(await linesOf(metrics)).toEqual(['eas_db_waiting 1', 'eas_tasks{status="open"} 2']);
    expect(await linesOf(metrics)).toEqual(['eas_tasks{status="failed"} 3']);
    expect(await linesOf(metrics)).toEqual(['eas_db_waiting 0']);
  });

  it('are absent before the first reading, then keep their values, and count one miss for a failed one', async () => {
    const results = [
      () => Promise.reject(new Error('away')),
      async () => ({ waiting: 1, tasks: { open: 2 } }),
      () => Promise.reject(new Error('away')),
    ];
    const metrics = watch({ everyMs: 0, read: () => (results.shift() ?? (() => Promise.reject(new Error('over'))))() });
    const valuesOf = async () => (await linesOf(metrics)).filter((line) => !line.includes('missed'));
    expect(await valuesOf()).toEqual([]);
    expect(await valuesOf()).toEqual(['eas_db_waiting 1', 'eas_tasks{status="open"} 2']);
    expect(await valuesOf()).toEqual(['eas_db_waiting 1', 'eas_tasks{status="open"} 2']);
    const missed = await metrics.registry.getSingleMetricAsString('eas_metrics_missed_total');
    expect(missed.split('\n').slice(2)).toEqual(['eas_metrics_missed_total{metric="eas_db_waiting"} 2']);
  });
});
