import {
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

export type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The process's metrics. Names begin with `eas_`; durations are in seconds, as Prometheus wants them. */
export type Metrics = {
  registry: Registry;
  counter<L extends string>(configuration: CounterConfiguration<L>): Counter<L>;
  gauge<L extends string>(configuration: GaugeConfiguration<L>): Gauge<L>;
  histogram<L extends string>(configuration: HistogramConfiguration<L>): Histogram<L>;
};

/** A registry of its own, with memory, event loop and GC unless `withDefaults` is false. */
export function createMetrics({ withDefaults = true }: { withDefaults?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (withDefaults) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const registers = [registry];
  return {
    registry,
    counter: (configuration) => new Counter({ ...configuration, registers }),
    gauge: (configuration) => new Gauge({ ...configuration, registers }),
    histogram: (configuration) => new Histogram({ ...configuration, registers }),
  };
}
