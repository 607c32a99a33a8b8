import type { TenantLoads } from '@eas/db';
import type { Metrics } from '@eas/runtime';
import type { DeliveryBacklog, DeliveryObserver } from '@eas/webhooks';

/**
 * Registers the metrics of deliveries, once per registry. `backlog` is read at each scrape. Which tenant an attempt was for is
 * in `loads` alone.
 */
export function countDeliveries(
  metrics: Metrics,
  backlog: () => Promise<DeliveryBacklog>,
  loads?: Pick<TenantLoads, 'add'>,
): DeliveryObserver {
  const attempts = metrics.histogram('eas_delivery_attempt_seconds');
  const dead = metrics.counter('eas_deliveries_dead_total');
  const latency = metrics.histogram('eas_delivery_latency_seconds');
  const lateness = metrics.histogram('eas_delivery_lateness_seconds');
  const putOff = metrics.counter('eas_deliveries_put_off_total');
  watchBacklog(metrics, backlog);
  return {
    onStart: (cause, lateMs) => lateness.observe({ cause }, lateMs / 1_000),
    onAttempt({ tenantId, outcome, end, durationMs }) {
      loads?.add(tenantId, { attempts: 1 });
      attempts.observe({ outcome }, durationMs / 1_000);
      if (end === 'dead') dead.inc();
    },
    onDelivered: (latencyMs) => latency.observe(Math.max(0, latencyMs) / 1_000),
    onPutOff: (deliveries, reason) => putOff.inc({ reason }, deliveries),
  };
}

function watchBacklog(metrics: Metrics, backlog: () => Promise<DeliveryBacklog>): void {
  const held = metrics.gauge('eas_deliveries_held');
  const paused = metrics.gauge('eas_webhooks_paused');
  const due = metrics.gauge('eas_deliveries_due');
  metrics.gauge('eas_deliveries_oldest_due_seconds', async (oldest) => {
    const now = await backlog();
    oldest.set(now.oldestDueSeconds);
    due.set(now.due);
    held.set(now.held);
    paused.set(now.paused);
  });
}
