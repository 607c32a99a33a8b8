import { setTimeout as delay } from 'node:timers/promises';
import { type MetricDef, type MetricLabel, type MetricName, metricCatalogue as catalogue } from '@eas/contracts';
import pTimeout from 'p-timeout';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The process's metrics, each registered once, as defined in the catalogue. Durations are in seconds. */
export type Metrics = {
  registry: Registry;
  counter<N extends MetricName<'counter'>>(name: N): Counter<MetricLabel<N>>;
  /**
   * `collect` sets the gauge at each scrape, which waits for it up to 2 s. If it throws or takes longer, the gauge
   * keeps its last value and `eas_metrics_missed_total` counts the miss. It never runs concurrently with itself.
   */
  gauge<N extends MetricName<'gauge'>>(
    name: N,
    collect?: (gauge: Gauge<MetricLabel<N>>) => void | Promise<void>,
  ): Gauge<MetricLabel<N>>;
  histogram<N extends MetricName<'histogram'>>(name: N): Histogram<MetricLabel<N>>;
};

export type MetricsOptions = {
  /** Memory, event loop and GC too, from the first scrape on; by default. */
  withDefaults?: boolean;
  /**
   * How long a scrape waits for a gauge. Prometheus waits 10 s for all of them, and then treats the process as down.
   */
  collectMs?: number;
};

/** The interval of measuring the event loop. */
const loopPrecisionMs = 50;

/**
 * Measures the process from its first scrape on: measuring the event loop wakes the process 20 times a second, which is
 * most of what an idle one does.
 */
class ProcessRegistry extends Registry {
  private measuring: Promise<void> | undefined;

  override async metrics(): Promise<string> {
    this.measuring ??= this.measure();
    await this.measuring;
    return super.metrics();
  }

  /** The first scrape waits for the first measurements. */
  private async measure(): Promise<void> {
    collectDefaultMetrics({ register: this, eventLoopMonitoringPrecision: loopPrecisionMs });
    await delay(2 * loopPrecisionMs);
  }
}

/** A registry of its own. */
export function createMetrics({ withDefaults = true, collectMs = 2_000 }: MetricsOptions = {}): Metrics {
  const registry = withDefaults ? new ProcessRegistry() : new Registry();
  const common = <N extends MetricName>(name: N) => {
    const { help, labels = [] }: MetricDef = catalogue[name];
    return { name, help, labelNames: labels as readonly MetricLabel<N>[], registers: [registry] };
  };
  const counter: Metrics['counter'] = (name) => {
    const made = new Counter(common(name));
    const { labels: [label = ''] = [], values = [] }: MetricDef = catalogue[name];
    for (const value of values) made.inc({ [label]: value } as Partial<Record<MetricLabel<typeof name>, string>>, 0);
    return made;
  };
  const missed = counter('eas_metrics_missed_total');
  return {
    registry,
    counter,
    gauge<N extends MetricName<'gauge'>>(name: N, collect?: (gauge: Gauge<MetricLabel<N>>) => void | Promise<void>) {
      const gauge: Gauge<MetricLabel<N>> = new Gauge({
        ...common(name),
        ...(collect && {
          collect: inTime(
            () => collect(gauge),
            collectMs,
            () => missed.inc({ metric: name }),
          ),
        }),
      });
      return gauge;
    },
    histogram: (name) => {
      const { buckets = [] }: MetricDef = catalogue[name];
      return new Histogram({ ...common(name), buckets: [...buckets] });
    },
  };
}

function inTime(collect: () => void | Promise<void>, milliseconds: number, onMissed: () => void): () => Promise<void> {
  let running: Promise<boolean> | undefined;
  return async () => {
    running ??= Promise.resolve()
      .then(collect)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (running = undefined));
    if (!(await pTimeout(running, { milliseconds, fallback: () => false }))) onMissed();
  };
}
