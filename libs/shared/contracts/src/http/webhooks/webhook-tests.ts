import { z } from 'zod';
import { publicEventTypes } from '../../events/catalogue.ts';
import { exampleId, idOf } from '../../fields.ts';
import { attemptOutcome } from './deliveries.ts';

export const testWebhookBody = z
  .object({
    event_type: z
      .enum(publicEventTypes, {
        error: `is not a known event type; known types: ${publicEventTypes.join(', ')}`,
      })
      .default('ping')
      .describe('Type of the sample event. New types can be added.'),
  })
  .meta({ id: 'TestWebhook', description: 'The sample event to send.', example: { event_type: 'task.completed' } });

/** The response to one sample event. */
export const webhookTest = z
  .object({
    event_type: z.string().max(64).describe('Type of the sample event.'),
    event_id: idOf('ID of the sample event. It is not stored.'),
    outcome: attemptOutcome,
    status: z.int().min(100).max(999).nullable().describe('HTTP status of the response. null: there was none.'),
    duration_ms: z.int().min(0).max(2_147_483_647).describe('How long the request took, in ms.'),
    response: z.string().max(16_384).nullable().describe('Beginning of the response body, at most 16 KiB.'),
    error: z.string().max(1_000).nullable().describe('What went wrong if there was no response, in words.'),
  })
  .meta({
    id: 'WebhookTest',
    description: 'What came back from a sample event.',
    example: {
      event_type: 'ping',
      event_id: exampleId('evt'),
      outcome: 'delivered',
      status: 200,
      duration_ms: 120,
      response: 'ok',
      error: null,
    },
  });
export type WebhookTest = z.infer<typeof webhookTest>;
