import { defineMetrics } from './metric.ts';

const postBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const latencyBuckets = [0.1, 0.25, 0.5, 1, 5, 30, 300, 3_600, 21_600, 86_400];
const dispatcher = ['webhook-dispatcher'] as const;

export const deliveryMetrics = defineMetrics({
  eas_delivery_attempt_seconds: {
    type: 'histogram',
    help: 'Duration of delivery attempts by outcome (delivered, http_5xx, timeout_headers, refused, ...).',
    labels: ['outcome'],
    buckets: [0.01, ...postBuckets],
    apps: dispatcher,
  },
  eas_deliveries_dead_total: {
    type: 'counter',
    help: 'Deliveries that failed their last attempt.',
    apps: dispatcher,
  },
  eas_delivery_latency_seconds: {
    type: 'histogram',
    help: 'Time from an event to its delivery, including retries.',
    buckets: latencyBuckets,
    apps: dispatcher,
  },
  eas_delivery_lateness_seconds: {
    type: 'histogram',
    help: 'How long after it was due an attempt starts, by cause: queue (first attempts), retry, rate_limit, ordering, paused.',
    labels: ['cause'],
    buckets: latencyBuckets,
    apps: dispatcher,
  },
  eas_deliveries_put_off_total: {
    type: 'counter',
    help: 'Deliveries postponed by reason (tenant_share, endpoint_slow, rate_limit, paused).',
    labels: ['reason'],
    values: ['tenant_share', 'endpoint_slow', 'rate_limit', 'paused'],
    apps: dispatcher,
  },
  eas_deliveries_held: {
    type: 'gauge',
    help: 'Deliveries kept for paused webhooks, counted up to 10,000.',
    apps: dispatcher,
    isShared: true,
  },
  eas_webhooks_paused: { type: 'gauge', help: 'Webhooks that are paused.', apps: dispatcher, isShared: true },
  eas_deliveries_due: {
    type: 'gauge',
    help: 'Due deliveries not yet sent, counted up to 10,000.',
    apps: dispatcher,
    isShared: true,
  },
  eas_deliveries_oldest_due_seconds: {
    type: 'gauge',
    help: 'Age of the oldest due delivery.',
    apps: dispatcher,
    isShared: true,
  },
  eas_chat_post_seconds: {
    type: 'histogram',
    help: 'Duration of posts to chats by outcome (posted, limited, retry, refused, stop, disconnected, lease_lost, error).',
    labels: ['outcome'],
    buckets: postBuckets,
    apps: dispatcher,
  },
  eas_chat_messages_failed_total: {
    type: 'counter',
    help: 'Chat messages that were refused or failed their last attempt.',
    apps: dispatcher,
  },
});
