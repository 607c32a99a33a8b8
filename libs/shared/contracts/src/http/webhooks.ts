import { z } from 'zod';
import { subscriptionInput } from './subscription-input.ts';
import { listQuery, listResponse } from './list.ts';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../fields.ts';

const subscription = z.string().min(1).max(64);

const exampleUrl = 'https://example.com/hooks';
const address = z.string().min(1).max(2_048).meta({ format: 'uri', example: exampleUrl });

export const createWebhookBody = z
  .object({
    url: address.describe('Address that receives the events: https, on a public host.'),
    events: z.array(subscriptionInput).min(1).max(100).describe('The events to send.'),
    secret: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('Signs every delivery. It is never returned. If you leave it out, the service creates one.'),
  })
  .meta({
    id: 'CreateWebhook',
    description: 'A new webhook.',
    example: { url: exampleUrl, events: ['task.completed', 'workflow.*'] },
  });
export type CreateWebhookBody = z.output<typeof createWebhookBody>;

const webhookStatus = z.enum(['active', 'failing', 'paused', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    'active: deliveries succeed; failing: they have been failing; paused: the service keeps deliveries and tests the address; disabled: nothing is sent. New values can be added.',
});

const exampleWebhook = {
  id: exampleId('whk'),
  url: exampleUrl,
  events: ['task.completed', 'workflow.*'],
  status: 'active',
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const webhookResource = z
  .object({
    id: idOf('ID of the webhook.'),
    url: address.describe('Address that receives the events.'),
    events: z.array(subscription).max(100).describe('The events that are sent.'),
    status: webhookStatus,
    created_at: timestampOutput.describe('When the webhook was created.'),
    updated_at: timestampOutput.describe('When the webhook was last changed.'),
  })
  .meta({ id: 'Webhook', description: 'An address that receives events.', example: exampleWebhook });
export type WebhookResource = z.infer<typeof webhookResource>;

/** What POST /v1/webhooks returns: with the secret that was made, this once. */
export const createdWebhook = webhookResource
  .extend({
    secret: z
      .string()
      .max(256)
      .optional()
      .describe('The secret, if the service created it. It is shown only in this response.'),
  })
  .meta({
    id: 'CreatedWebhook',
    base: 'Webhook',
    description: 'The new webhook.',
    example: { ...exampleWebhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  });
export type CreatedWebhook = z.infer<typeof createdWebhook>;

const text = z.string().max(2_048);

export const webhookListQuery = listQuery({
  sortable: ['id', 'url', 'status', 'created_at', 'updated_at'],
  filters: { id: text, url: text, status: text, created_at: timestampInput, updated_at: timestampInput },
});
export type WebhookListQuery = z.output<typeof webhookListQuery>;

export const webhookList = listResponse(webhookResource);
