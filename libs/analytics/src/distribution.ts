import { type DurationDistribution, durationQuantiles } from '@eas/contracts';
import { DDSketch } from '@datadog/sketches-js';
import type { Buckets } from './durations.read-model.ts';

/** Of the sketch whose buckets are counted (`duration_bucket` in the migration `durations`), of seconds. */
const relativeAccuracy = 0.05;

/** Mean and percentiles of durations, in seconds; null: there are none. */
export function distributionOf(buckets: Buckets | null, totalMs: number): DurationDistribution | null {
  const sketch = new DDSketch({ relativeAccuracy });
  for (const [bucket, count] of Object.entries(buckets ?? {}))
    sketch.accept(sketch.mapping.value(Number(bucket) - 1), count);
  const { count } = sketch;
  if (count === 0) return null;
  const at = (quantile: number) => Math.max(1, Math.round(sketch.getValueAtQuantile(quantile)));
  const quantiles = Object.entries(durationQuantiles).map(([name, quantile]) => [name, at(quantile)]);
  return {
    count,
    mean_seconds: Math.max(0, Math.round(totalMs / count / 1_000)),
    ...(Object.fromEntries(quantiles) as Record<keyof typeof durationQuantiles, number>),
  };
}

/** Adds up distributions. */
export function addBuckets(all: readonly (Buckets | null)[]): Buckets {
  const sum: Record<string, number> = {};
  for (const [bucket, count] of all.flatMap((one) => Object.entries(one ?? {})))
    sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}
