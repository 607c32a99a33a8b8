export { watchOutbox } from './relaying/outbox-metrics.ts';
export { watchQueues } from './relaying/queue-depth-metrics.ts';
export { countRelayed, type RelayObserver } from './relaying/relay-metrics.ts';
export {
  consumeEvents,
  type EventConsumer,
  type EventHandler,
  type Handlers,
  type JobHandler,
  type JobResult,
} from './consuming/handlers.ts';
export { type OpenQueues, openQueues, type QueueOptions } from './backends/open-queues.ts';
export { preparePostgresQueues } from './backends/postgres-backend.ts';
export { queuesOnUse, type QueuesOnUse } from './backends/queues-on-use.ts';
export { type QueueDepths } from './backends/queue-metrics.ts';
export { watchRedis } from './backends/redis-metrics.ts';
export { readRedisCertificate } from './backends/redis-state.ts';
export { connectRedis, type RedisClient, type RedisRole } from './backends/redis-connection.ts';
export { type DeadEventKey, type DeadEventRow, findDeadEvents, listDeadEvents } from './relaying/dead-event.sweeper.ts';
export { retryDead } from './relaying/retry-dead.ts';
export { type OutboxState, readOutboxState } from './relaying/outbox.sweeper.ts';
export { type Relay, startRelay } from './relaying/relay.ts';
export type { RelayOptions } from './relaying/relay-options.ts';
export { type QueueWorker, startWorker, type WorkerOptions } from './consuming/worker.ts';
export { drainAtShutdown, openWorkerProcess } from './consuming/worker-process.ts';
