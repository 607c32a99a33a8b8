import { deliveryMetrics } from './delivery.metrics.ts';
import type { MetricDef } from './metric.ts';
import { processMetrics } from './process.metrics.ts';
import { queueMetrics } from './queue.metrics.ts';
import { storeMetrics } from './store.metrics.ts';
import { workMetrics } from './work.metrics.ts';

/** Every metric of the service by name: alerts, dashboards and KEDA rely on it. */
export const metricCatalogue = {
  ...processMetrics,
  ...queueMetrics,
  ...deliveryMetrics,
  ...workMetrics,
  ...storeMetrics,
};

type Catalogue = typeof metricCatalogue;
export type MetricName<T extends MetricDef['type'] = MetricDef['type']> = {
  [N in keyof Catalogue]: Catalogue[N] extends { type: T } ? N : never;
}[keyof Catalogue];
export type MetricLabel<N extends MetricName> = Catalogue[N] extends { labels: readonly (infer L extends string)[] }
  ? L
  : never;
