import { type MetricDef, type MetricLabel, type MetricName, metricCatalogue as catalogue } from '@eas/contracts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The process's metrics, each registered once, as the catalogue has it. Durations are in seconds. */
export type Metrics = {
  registry: Registry;
  counter<N extends MetricName<'counter'>>(name: N): Counter<MetricLabel<N>>;
  /** `collect` sets the gauge at each scrape. */
  gauge<N extends MetricName<'gauge'>>(
    name: N,
    collect?: (gauge: Gauge<MetricLabel<N>>) => void | Promise<void>,
  ): Gauge<MetricLabel<N>>;
  histogram<N extends MetricName<'histogram'>>(name: N): Histogram<MetricLabel<N>>;
};

/** A registry of its own, with memory, event loop and GC unless `withDefaults` is false. */
export function createMetrics({ withDefaults = true }: { withDefaults?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (withDefaults) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const common = <N extends MetricName>(name: N) => {
    const { help, labels = [] }: MetricDef = catalogue[name];
    return { name, help, labelNames: labels as readonly MetricLabel<N>[], registers: [registry] };
  };
  return {
    registry,
    counter: (name) => new Counter(common(name)),
    gauge<N extends MetricName<'gauge'>>(name: N, collect?: (gauge: Gauge<MetricLabel<N>>) => void | Promise<void>) {
      const gauge: Gauge<MetricLabel<N>> = new Gauge({
        ...common(name),
        ...(collect && { collect: () => collect(gauge) }),
      });
      return gauge;
    },
    histogram: (name) => {
      const { buckets = [] }: MetricDef = catalogue[name];
      return new Histogram({ ...common(name), buckets: [...buckets] });
    },
  };
}
