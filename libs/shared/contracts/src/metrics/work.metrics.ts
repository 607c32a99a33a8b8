import { defineMetrics } from './metric.ts';

const orchestrator = ['workflow-orchestrator'] as const;
const receiver = ['webhook-receiver'] as const;

/** Tasks, integrations, retention. */
export const workMetrics = defineMetrics({
  eas_tasks: {
    type: 'gauge',
    help: 'Tasks of all tenants by status. Read from kept counts, at most 15 s old.',
    labels: ['status'],
    apps: orchestrator,
    isShared: true,
  },
  eas_claim_latency_seconds: {
    type: 'histogram',
    help: 'Time from when a task can be claimed (created, opened again, or its not_before) to its claim.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 60, 300, 1_800, 3_600, 21_600, 86_400],
    apps: ['api-gateway'],
  },
  eas_leases_expired_total: {
    type: 'counter',
    help: 'Leases that ended without a call of their agent: lost (no heartbeat), unrevived (answered, not continued).',
    labels: ['reason'],
    values: ['lost', 'unrevived'],
    apps: orchestrator,
  },
  eas_model_calls_total: {
    type: 'counter',
    help: 'Calls of agents to models whose usage was added up.',
    apps: ['analytics-aggregator'],
  },
  eas_model_tokens_total: {
    type: 'counter',
    help: 'Tokens of calls of agents to models by kind. An estimate that is corrected to less stays counted.',
    labels: ['kind'],
    values: ['input', 'output', 'cache_read', 'cache_write'],
    apps: ['analytics-aggregator'],
  },
  eas_model_cost_usd_total: {
    type: 'counter',
    help: 'What calls of agents to models cost by the price tables of tenants, in USD. Models without a price cost nothing.',
    apps: ['analytics-aggregator'],
  },
  eas_analytics_days_recounted_total: {
    type: 'counter',
    help: 'Days of tenants whose figures were counted again from the tasks, by result: equal to the stored ones, or different.',
    labels: ['result'],
    values: ['equal', 'different'],
    apps: ['analytics-aggregator'],
  },
  eas_inbound_receipts_total: {
    type: 'counter',
    help: 'Verified inbound webhooks by source and result.',
    labels: ['source', 'outcome'],
    apps: receiver,
  },
  eas_chat_requests_refused_total: {
    type: 'counter',
    help: 'Requests of chats without effect by reason (unsigned, timestamp, signature, unknown_integration, malformed, repeated, not_ours).',
    labels: ['reason'],
    apps: receiver,
  },
  eas_integrations_silent_total: {
    type: 'counter',
    help: 'Integrations that became degraded because nothing was received for as long as their alarm allows.',
    apps: orchestrator,
  },
  eas_platform_calls_total: {
    type: 'counter',
    help: 'Calls to the API of task platforms and source hosts by kind (task, status, comment, question, page, pull_request) and outcome.',
    labels: ['kind', 'outcome'],
    apps: orchestrator,
  },
  eas_platform_calls_waiting: {
    type: 'gauge',
    help: 'Calls to the API of task platforms and source hosts that wait to be made, counted up to 10,000.',
    apps: orchestrator,
    isShared: true,
  },
  eas_retention_months_dropped_total: {
    type: 'counter',
    help: 'Months of events, deliveries, attempts and sessions that were dropped as a whole.',
    labels: ['table'],
    apps: orchestrator,
  },
  eas_retention_rows_deleted_total: {
    type: 'counter',
    help: 'Old rows that were deleted one by one: from default partitions, and numbers of events.',
    labels: ['table'],
    apps: orchestrator,
  },
  eas_retention_open_deliveries_total: {
    type: 'counter',
    help: 'Deliveries that were pending or held when they were removed for their age.',
    apps: orchestrator,
  },
  eas_retention_inbound_bodies_total: {
    type: 'counter',
    help: 'Bodies of received webhooks that were removed for their age.',
    apps: orchestrator,
  },
});
