import type { Metrics } from '@eas/runtime';

/** Registers how long tasks wait for an agent. Once per registry. */
export function timeClaims(metrics: Metrics): (waitedMs: number) => void {
  const latency = metrics.histogram('eas_claim_latency_seconds');
  return (waitedMs) => latency.observe(waitedMs / 1_000);
}
