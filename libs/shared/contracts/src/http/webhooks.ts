import { z } from 'zod';
import { subscriptionInput } from './subscription-input.ts';
import { listQuery, listResponse } from './list.ts';
import { idOutput, timestampInput, timestampOutput } from './fields.ts';

/** As stored. */
const subscription = z.string().min(1).max(64).meta({ example: 'task.completed' });

const address = z.string().min(1).max(2_048).meta({ format: 'uri', example: 'https://example.com/hooks' });

export const createWebhookBody = z.object({
  url: address.meta({ description: 'Receives the events: https to a public address.' }),
  events: z.array(subscriptionInput).min(1).max(100),
  secret: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta({ description: 'Signs every delivery. Never returned; one is made when it is left out.' }),
});
export type CreateWebhookBody = z.output<typeof createWebhookBody>;

export const webhookResource = z.object({
  id: idOutput.meta({ example: 'whk_01ks0000000000000000000000' }),
  url: address,
  events: z.array(subscription).max(100),
  status: z.string().max(32).meta({ description: 'active, failing, paused or disabled.', example: 'active' }),
  created_at: timestampOutput,
  updated_at: timestampOutput,
});
export type WebhookResource = z.infer<typeof webhookResource>;

/** What POST /v1/webhooks answers: with the secret that was made, this once. */
export const createdWebhook = webhookResource.extend({
  secret: z.string().max(256).optional().meta({ description: 'Only when the service made it.' }),
});
export type CreatedWebhook = z.infer<typeof createdWebhook>;

const text = z.string().max(2_048);

export const webhookListQuery = listQuery({
  sortable: ['id', 'url', 'status', 'created_at', 'updated_at'],
  filters: { id: text, url: text, status: text, created_at: timestampInput, updated_at: timestampInput },
});
export type WebhookListQuery = z.output<typeof webhookListQuery>;

export const webhookList = listResponse(webhookResource);
