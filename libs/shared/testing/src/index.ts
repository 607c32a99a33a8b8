export { type EmptyDatabase, emptyDatabase } from './empty-database.ts';
export { leastHoldMs, longestHoldMs, maxHoldMs } from './event-loop.ts';
export { eventually, hangMs } from './eventually.ts';
export {
  type HostileEnd,
  type HostileReceiver,
  type HostileReceivers,
  startHostileReceivers,
} from './hostile-receivers/start-hostile-receivers.ts';
export { outboxDrained } from './outbox-drained.ts';
export { createRecordingTracer, type RecordedSpan } from './recording-tracer.ts';
export { rowsFetchedBy } from './rows-fetched.ts';
export { type RowsRead, rowsReadBy } from './rows-read.ts';
export { schemaErrors } from './schema-check.ts';
export { noteSettings, refuseSecrets, refuseSecretsIn, silentLogger } from './secret-watch.ts';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';
export { type TestDatabase, useTestDatabase } from './test-database.ts';
export { runsOf } from './test-form.ts';
export { together } from './together.ts';
export {
  type SinkResponse,
  type SinkRequest,
  type SinkScript,
  startWebhookSink,
  type WebhookSink,
} from './webhook-sink.ts';
export {
  type WorstBody,
  worstJsonBodies,
  worstPlatformBodies,
  worstPullRequests,
  worstSourceHostBodies,
} from './worst-bodies.ts';
