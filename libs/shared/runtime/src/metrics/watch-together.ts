import { type MetricDef, type MetricName, metricCatalogue as catalogue } from '@eas/contracts';
import type { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** The value of a gauge, or its values by its only label. What is undefined is not exported. */
type Shown = number | undefined | Readonly<Record<string, number | undefined>>;

type Reading<T> = { read: () => Promise<T>; everyMs: number };

/**
 * Registers gauges that are set from one reading. A scrape makes it when the last one is older than `everyMs`. One that
 * fails, or takes too long, is a miss of the first gauge alone; all keep their last values, and are absent before the
 * first reading.
 */
export function watchTogether<T>(
  metrics: Metrics,
  { read, everyMs }: Reading<T>,
  gauges: Partial<Record<MetricName<'gauge'>, (value: T) => Shown>>,
): void {
  const current = shareReading({ read, everyMs });
  for (const [index, [name, shownOf]] of Object.entries(gauges).entries()) {
    const { labels: [label] = [] }: MetricDef = catalogue[name as MetricName<'gauge'>];
    const gauge = metrics.gauge(name as MetricName<'gauge'>, async (own) => {
      const value = await (index === 0 ? current() : current().catch(() => undefined));
      if (value !== undefined) show(own as Gauge, label, shownOf(value));
    });
    show(gauge as Gauge, label, undefined);
  }
}

/** The same reading for callers of one moment, and until it is too old. One that failed is repeated. */
function shareReading<T>({ read, everyMs }: Reading<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let endedAtMs = Infinity;
  return () => {
    // While it runs, endedAtMs is Infinity: the difference is negative, so it is shared.
    if (reading && performance.now() - endedAtMs < everyMs) return reading;
    endedAtMs = Infinity;
    const begun = Promise.resolve().then(read);
    begun.then(
      () => (endedAtMs = performance.now()),
      () => (reading = undefined),
    );
    return (reading = begun);
  };
}

function show(gauge: Gauge, label: string | undefined, shown: Shown): void {
  if (label === undefined) return typeof shown === 'number' ? gauge.set(shown) : gauge.remove();
  gauge.reset();
  for (const [value, number] of Object.entries(shown ?? {}))
    if (number !== undefined) gauge.set({ [label]: value }, number);
}
