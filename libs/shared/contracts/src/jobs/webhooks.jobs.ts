import { z } from 'zod';
import { defineQueue, eventConsumerJob } from './job.ts';

/** Maximum number of deliveries in one job, all of one endpoint. */
export const maxDeliveriesPerJob = 50;

/** Worked by webhook-dispatcher. */
export const webhooksQueue = defineQueue('webhooks', {
  /** Makes deliveries and chat messages for public events. */
  'fan_out.follow': {
    ...eventConsumerJob,
    follows: { leavesTo: 'event.fan_out', isForSubscribed: true },
  },
  /** The same for single events: those that failed with others, and those of the release before. */
  'event.fan_out': eventConsumerJob,
  /** Updates the messages of questions in chats with their result. */
  'chat.question': eventConsumerJob,
  /** Sends due deliveries of one endpoint. Time-out: 5 s for a slot, 15 s for the POSTs and 10 s to record them. */
  'delivery.send': {
    payload: z.object({
      tenant_id: z.string(),
      endpoint_id: z.string(),
      event_ids: z.array(z.string()).min(1).max(maxDeliveriesPerJob),
      /** They were tried before, or are replayed: new deliveries do not wait for them. */
      is_again: z.boolean().optional(),
    }),
    attempts: 1,
    timeoutMs: 30_000,
  },
});
