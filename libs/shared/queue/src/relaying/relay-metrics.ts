import type { OutboxConsumer } from '@eas/contracts';
import type { Metrics } from '@eas/runtime';

/** Receives what the relay does, for metrics. `lagSeconds`: time since the row was due. */
export type RelayObserver = {
  onRelayed(consumer: OutboxConsumer, kind: 'first' | 'again', count: number): void;
  onLag(consumer: OutboxConsumer, lagSeconds: number): void;
};

/** Registers the metrics of a relay. Once per registry. */
export function countRelayed(metrics: Metrics): RelayObserver {
  const relayed = metrics.counter('eas_events_relayed_total');
  const lag = metrics.histogram('eas_relay_lag_seconds');
  return {
    onRelayed: (consumer, kind, count) => relayed.inc({ consumer, kind }, count),
    onLag: (consumer, lagSeconds) => lag.observe({ consumer }, Math.max(0, lagSeconds)),
  };
}

export function countRows(
  observer: RelayObserver | undefined,
  rows: readonly { consumer: OutboxConsumer }[],
  kind: 'first' | 'again',
): void {
  const counts = new Map<OutboxConsumer, number>();
  for (const { consumer } of rows) counts.set(consumer, (counts.get(consumer) ?? 0) + 1);
  for (const [consumer, number] of counts) observer?.onRelayed(consumer, kind, number);
}
