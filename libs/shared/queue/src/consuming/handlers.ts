import {
  type Consumer,
  type JobName,
  type JobPayload,
  type QueueName,
  type Queues,
  queues,
  type Send,
  type StoredEvent,
} from '@eas/contracts';
import type { DbScope, EventSizes, UseCaseContext } from '@eas/db';

/** `then` jobs are sent after the work has committed. They are hints: what must happen is in rows. */
export type JobResult = void | { then?: Send[] };

type JobsOf<Q extends QueueName> = Queues[Q]['jobs'];

/** Runs one job. The context is not in a transaction. Throwing fails the try; the catalogue has the number of tries. */
export type JobHandler<P> = (ctx: UseCaseContext, payload: P) => Promise<JobResult>;

/**
 * Processes events of one tenant, oldest first, inside the transaction that takes them from the outbox: use ctx.db and
 * ctx.inTransaction (a savepoint). Throwing rolls back the batch, which is then tried event by event.
 */
export type EventHandler = (ctx: UseCaseContext, events: StoredEvent[]) => Promise<EventResult>;

/** `again`: ids of events that could not be processed yet; the consumer gets them again a moment later. */
type EventResult = void | { then?: Send[]; again?: readonly string[] };

/** Optional properties of a consumer. */
export type ConsumerTraits = {
  /** How many bytes it reads for each event, if that is not the event's own data: batches are bounded by them. */
  sizes?: (scope: DbScope, eventIds: readonly string[]) => Promise<EventSizes>;
  /** Records that an event is given up, in the transaction that marks it as dead for the consumer. */
  giveUp?: (ctx: UseCaseContext, event: StoredEvent) => Promise<void>;
};

export type EventConsumer<C extends Consumer = Consumer> = { consumer: C; handle: EventHandler } & ConsumerTraits;

/** One entry for every job of the queue: an EventConsumer for jobs that consume events, else a JobHandler. */
export type Handlers<Q extends QueueName> = {
  [N in keyof JobsOf<Q> & JobName]: N extends Consumer ? EventConsumer<N> : JobHandler<JobPayload<N>>;
};

export function consumeEvents<C extends Consumer>(
  consumer: C,
  handle: EventHandler,
  traits: ConsumerTraits = {},
): EventConsumer<C> {
  return { consumer, handle, ...traits };
}

/** Repeats the compiler's check of the handler map at boot. Throws an error that names missing or unknown handlers. */
export function checkHandlers(queue: QueueName, handlers: Record<string, unknown>): void {
  const jobs = Object.keys(queues[queue].jobs);
  const missing = jobs.filter((job) => !handlers[job]);
  const foreign = Object.keys(handlers).filter((job) => !jobs.includes(job));
  const misnamed = Object.entries(handlers).filter(
    ([job, handler]) => typeof handler !== 'function' && (handler as EventConsumer | undefined)?.consumer !== job,
  );
  const wrong = [...missing, ...foreign, ...misnamed.map(([job]) => job)];
  if (wrong.length > 0) throw new Error(`handlers of queue ${queue} do not fit its catalogue: ${wrong.join(', ')}`);
}
