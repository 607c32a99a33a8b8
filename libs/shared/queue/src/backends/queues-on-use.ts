import { AppError } from '@eas/core';
import { type OpenQueues, openQueues, type QueueOptions } from './open-queues.ts';

/** Queues for a process that serves without them: opened when they are first used. */
export type QueuesOnUse = {
  /** Throws 503 while the store does not respond; the next use tries again. */
  open(): Promise<OpenQueues>;
  close(): Promise<void>;
};

export function queuesOnUse(options: QueueOptions): QueuesOnUse {
  let opened: Promise<OpenQueues> | undefined;
  return {
    async open() {
      const opening = (opened ??= openQueues(options));
      try {
        return await opening;
      } catch (error) {
        if (opened === opening) opened = undefined;
        options.logger.warn({ err: error }, 'queue store not opened');
        const message = 'The queue store does not respond. Try again later.';
        throw new AppError('server_error', { status: 503, message, headers: { 'Retry-After': '5' } });
      }
    },
    async close() {
      await opened?.then(
        (queues) => queues.close(),
        () => {},
      );
    },
  };
}
