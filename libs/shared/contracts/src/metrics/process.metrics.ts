import { defineMetrics, httpApps, metricApps } from './metric.ts';

export const processMetrics = defineMetrics({
  eas_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels say what runs.',
    labels: ['version', 'commit'],
    apps: metricApps,
  },
  eas_ready: {
    type: 'gauge',
    help: 'Readiness checks (database, queue), made at the scrape: 1 passed, 0 failed or no response within 1.5 s.',
    labels: ['check'],
    apps: metricApps,
    aggregate: 'max',
  },
  eas_loop_failed_runs: {
    type: 'gauge',
    help: 'Runs of a periodic loop that failed since its last good one.',
    labels: ['loop'],
    apps: metricApps,
    aggregate: 'min',
  },
  eas_metrics_missed_total: {
    type: 'counter',
    help: 'Gauges that kept their last value at a scrape because reading it failed or took longer than 2 s.',
    labels: ['metric'],
    apps: metricApps,
  },
  eas_db_connections: {
    type: 'gauge',
    help: 'Database connections of the process by state: used, idle.',
    labels: ['state'],
    apps: metricApps,
  },
  eas_db_connections_max: {
    type: 'gauge',
    help: 'Maximum number of database connections of the process (DB_POOL).',
    apps: metricApps,
  },
  eas_db_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a database connection.',
    apps: metricApps,
  },
  eas_http_request_seconds: {
    type: 'histogram',
    help: 'Time from request to response. route: the pattern, never the path.',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 7, 35],
    apps: httpApps,
  },
  eas_http_bodies_cut_total: {
    type: 'counter',
    help: 'Request bodies cut off before their end, by reason: slow, address, process.',
    labels: ['reason'],
    apps: httpApps,
  },
  eas_streams_open: { type: 'gauge', help: 'Open event streams.', labels: ['route'], apps: ['api-gateway'] },
  eas_stream_entries_total: { type: 'counter', help: 'Entries written to event streams.', apps: ['api-gateway'] },
  eas_streams_ended_total: {
    type: 'counter',
    help: 'Closed event streams by reason.',
    labels: ['route', 'reason'],
    apps: ['api-gateway'],
  },
  eas_rate_limit_fallbacks_total: {
    type: 'counter',
    help: 'Requests counted only by this process because the shared store was unavailable.',
    apps: ['api-gateway'],
  },
  eas_calls_held_back_total: {
    type: 'counter',
    help: "Calls over their tenant's pace, by outcome: waited or refused.",
    labels: ['outcome'],
    apps: ['api-gateway'],
  },
});
