export { type EmptyDatabase, emptyDatabase } from './empty-database.ts';
export { leastHoldMs, maxHoldMs } from './event-loop.ts';
export { eventually } from './eventually.ts';
export {
  type HostileEnd,
  type HostileReceiver,
  type HostileReceivers,
  startHostileReceivers,
} from './hostile-receivers/start-hostile-receivers.ts';
export { ignoredSightings } from './ignored-sightings.ts';
export { leavePublicEvents } from './leave-public-events.ts';
export { outboxDrained } from './outbox-drained.ts';
export { describeLateBacklog, emptyTables, planEarly, type Works } from './plan-early.ts';
export { createRecordingTracer } from './recording-tracer.ts';
export { pagesFetchedBy, rowsFetchedBy } from './statements/rows-fetched.ts';
export { rowsReadBy } from './statements/rows-read.ts';
export { schemaErrors } from './schema-check.ts';
export { noteSettings, refuseSecrets, refuseSecretsIn, silentLogger } from './secret-watch.ts';
export { startTraceCollector, type TraceCollector } from './trace-collector.ts';
export { type TestDatabase, useTestDatabase } from './test-database.ts';
export { runsOf, someOf } from './test-form.ts';
export { together } from './together.ts';
export { type SinkResponse, type SinkRequest, startWebhookSink, type WebhookSink } from './webhook-sink.ts';
export {
  type WorstBody,
  worstJsonBodies,
  worstPlatformBodies,
  worstPullRequests,
  worstSourceHostBodies,
} from './worst-bodies.ts';
