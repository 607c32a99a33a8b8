export { watchOutbox } from './outbox-metrics.ts';
export {
  consumeEvents,
  type EventConsumer,
  type EventHandler,
  type Handlers,
  type JobHandler,
  type JobResult,
} from './handlers.ts';
export { type OpenQueues, openQueues, type QueueOptions } from './open-queues.ts';
export { type QueueDepths } from './queue-metrics.ts';
export { connectRedis, type RedisClient, type RedisRole } from './redis-connection.ts';
export { type Relay, type RelayOptions, startRelay } from './relay.ts';
export { type QueueWorker, startWorker, type WorkerOptions } from './worker.ts';
