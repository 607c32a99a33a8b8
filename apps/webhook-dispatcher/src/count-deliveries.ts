import type { Metrics } from '@eas/runtime';
import type { DeliveryBacklog, DeliveryObserver } from '@eas/webhooks';

const attemptBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const latencyBuckets = [0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600, 21_600, 86_400];

/** Registers the metrics of deliveries. `backlog` is read at each scrape. Once per registry. */
export function countDeliveries(metrics: Metrics, backlog: () => Promise<DeliveryBacklog>): DeliveryObserver {
  const attempts = metrics.histogram({
    name: 'eas_delivery_attempt_seconds',
    help: 'Duration of delivery attempts by outcome (delivered, http_5xx, timeout_headers, refused, ...).',
    labelNames: ['outcome'],
    buckets: attemptBuckets,
  });
  const dead = metrics.counter({
    name: 'eas_deliveries_dead_total',
    help: 'Deliveries that failed their last attempt.',
  });
  const latency = metrics.histogram({
    name: 'eas_delivery_latency_seconds',
    help: 'Time from an event to its delivery, including retries.',
    buckets: latencyBuckets,
  });
  const putOff = metrics.counter({
    name: 'eas_deliveries_put_off_total',
    help: 'Deliveries postponed by reason (tenant_share, endpoint_slow, rate_limit, paused).',
    labelNames: ['reason'],
  });
  watchBacklog(metrics, backlog);
  return {
    onAttempt({ outcome, end, durationMs }) {
      attempts.observe({ outcome }, durationMs / 1_000);
      if (end === 'dead') dead.inc();
    },
    onDelivered: (latencyMs) => latency.observe(Math.max(0, latencyMs) / 1_000),
    onPutOff: (deliveries, reason) => putOff.inc({ reason }, deliveries),
  };
}

function watchBacklog(metrics: Metrics, backlog: () => Promise<DeliveryBacklog>): void {
  const held = metrics.gauge({
    name: 'eas_deliveries_held',
    help: 'Deliveries kept for paused webhooks, counted up to 10,000.',
  });
  const paused = metrics.gauge({ name: 'eas_webhooks_paused', help: 'Webhooks that are paused.' });
  const due = metrics.gauge({ name: 'eas_deliveries_due', help: 'Due deliveries not yet sent, counted up to 10,000.' });
  metrics.gauge({
    name: 'eas_deliveries_oldest_due_seconds',
    help: 'Age of the oldest due delivery.',
    async collect() {
      // Without a response the last values stay: that the database is away is seen elsewhere.
      const now = await backlog().catch(() => undefined);
      if (!now) return;
      this.set(now.oldestDueSeconds);
      due.set(now.due);
      held.set(now.held);
      paused.set(now.paused);
    },
  });
}
