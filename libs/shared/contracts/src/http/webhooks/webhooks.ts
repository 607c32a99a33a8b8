import { z } from 'zod';
import { listQuery, listResponse } from '../list.ts';
import { subscriptionInput } from '../subscription-input.ts';
import { webhookHeaders, webhookHeadersPatch } from './webhook-headers.ts';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { signingSecretInput } from '../../secrets.ts';

const subscription = z.string().min(1).max(64);

const exampleUrl = 'https://example.com/hooks';
const address = z.string().min(1).max(2_048).meta({ format: 'uri', example: exampleUrl });
const addressText = 'Address that receives the events: https, on a public host.';
const events = z.array(subscriptionInput).min(1).max(100).describe('The events to send.');
const description = z.string().max(500).describe('What the webhook is for.');
const maxCount = 2_147_483_647;
const ordering = z.enum(['none', 'task']).meta({
  id: 'WebhookOrdering',
  description:
    'none: deliveries come in any order; task: the events of one task come in their order, each after the previous one was delivered or given up. New values can be added.',
});
const maxPerSecond = z.int().min(1).max(1_000).describe('Maximum number of deliveries per second. null: no limit.');
const secret = signingSecretInput.meta({
  description:
    'Signs every delivery: at least 16 characters. After `whsec_` it has to be base64. It is never returned. If you leave it out, the service creates one.',
  example: 'a-secret-of-16-or-more-characters',
});

export const createWebhookBody = z
  .object({
    url: address.describe(addressText),
    events,
    secret: secret.optional(),
    description: description.nullish(),
    headers: webhookHeaders.nullish(),
    ordering: ordering.optional(),
    max_per_second: maxPerSecond.nullish(),
  })
  .meta({
    id: 'CreateWebhook',
    description: 'A new webhook.',
    example: { url: exampleUrl, events: ['task.completed', 'workflow.*'] },
  });
export type CreateWebhookBody = z.output<typeof createWebhookBody>;

/** Body of PATCH /v1/webhooks/{webhook_id}: a merge patch. null clears; the secret is only changed by its rotation. */
export const changeWebhookBody = z
  .object({
    url: address
      .optional()
      .describe(`${addressText} If it is on another host than before, the headers must be sent again.`),
    events: events.optional(),
    description: description.nullish(),
    headers: webhookHeadersPatch.nullish(),
    ordering: ordering.nullish(),
    max_per_second: maxPerSecond.nullish(),
  })
  .meta({
    id: 'ChangeWebhook',
    description: 'A JSON merge patch of a webhook. Fields that you leave out stay as they are; null resets a field.',
    example: { events: ['task.*'], max_per_second: 20 },
  });
export type ChangeWebhookBody = z.output<typeof changeWebhookBody>;

const webhookStatus = z.enum(['active', 'failing', 'paused', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    'active: deliveries succeed; failing: they have been failing; paused: the service keeps deliveries and tests the address; disabled: nothing is sent. New values can be added.',
});

const exampleWebhook = {
  id: exampleId('whk'),
  url: exampleUrl,
  description: 'Updates the team board.',
  events: ['task.completed', 'workflow.*'],
  header_names: ['Authorization'],
  ordering: 'none',
  max_per_second: null,
  status: 'active',
  status_reason: null,
  status_changed_at: null,
  failing_since: null,
  failures_in_row: 0,
  last_success_at: exampleTime,
  last_failure_at: null,
  previous_secret_until: null,
  created_at: exampleTime,
  updated_at: exampleTime,
};

export const webhookResource = z
  .object({
    id: idOf('ID of the webhook.'),
    url: address.describe('Address that receives the events.'),
    description: description.nullable(),
    events: z.array(subscription).max(100).describe('The events that are sent.'),
    header_names: z
      .array(z.string().max(128))
      .max(20)
      .describe('Names of the headers that each delivery has in addition. Their values are not returned.'),
    ordering,
    max_per_second: maxPerSecond.nullable(),
    status: webhookStatus,
    status_reason: z
      .string()
      .max(64)
      .nullable()
      .describe(
        'Why it has this status, as a word. `requested`: a caller of the API set it; `tenant_suspended`: the operator suspended the tenant.',
      ),
    status_changed_at: timestampOutput.nullable().describe('When the status last changed. null: never.'),
    failing_since: timestampOutput.nullable().describe('When the first of the failed attempts in a row was made.'),
    failures_in_row: z.int().min(0).max(maxCount).describe('Number of failed attempts since the last success.'),
    last_success_at: timestampOutput.nullable().describe('When an attempt last succeeded.'),
    last_failure_at: timestampOutput.nullable().describe('When an attempt last failed.'),
    previous_secret_until: timestampOutput
      .nullable()
      .describe('Until when deliveries are also signed with the previous secret. null: the secret was never rotated.'),
    created_at: timestampOutput.describe('When the webhook was created.'),
    updated_at: timestampOutput.describe('When the webhook was last changed.'),
  })
  .meta({ id: 'Webhook', description: 'An address that receives events.', example: exampleWebhook });
export type WebhookResource = z.infer<typeof webhookResource>;

/** What a client reads of a webhook and may post back; ignored. */
export const webhookReadOnly = [
  'id',
  'header_names',
  'status',
  'status_reason',
  'status_changed_at',
  'failing_since',
  'failures_in_row',
  'last_success_at',
  'last_failure_at',
  'previous_secret_until',
  'created_at',
  'updated_at',
];

const shownSecret = z
  .string()
  .max(256)
  .optional()
  .describe('The secret, if the service created it. It is shown only in this response.');
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Response of POST /v1/webhooks: includes a generated secret, only this once. */
export const createdWebhook = webhookResource.extend({ secret: shownSecret }).meta({
  id: 'CreatedWebhook',
  base: 'Webhook',
  description: 'The new webhook.',
  example: { ...exampleWebhook, secret: exampleSecret },
});
export type CreatedWebhook = z.infer<typeof createdWebhook>;

export const rotateWebhookSecretBody = z
  .object({ secret: secret.optional() })
  .meta({ id: 'RotateWebhookSecret', description: 'The new secret.', example: {} });

/** Response of the rotation: includes a generated secret, only this once. */
export const rotatedWebhook = webhookResource.extend({ secret: shownSecret }).meta({
  id: 'RotatedWebhook',
  base: 'Webhook',
  description: 'The webhook with its new secret.',
  example: { ...exampleWebhook, previous_secret_until: '2026-11-21T10:00:00Z', secret: exampleSecret },
});
export type RotatedWebhook = z.infer<typeof rotatedWebhook>;

const text = z.string().max(2_048);
const count = wholeNumberInput(0, maxCount);

export const webhookListQuery = listQuery({
  sortable: [
    'id',
    'url',
    'description',
    'ordering',
    'max_per_second',
    'status',
    'status_reason',
    'status_changed_at',
    'failing_since',
    'failures_in_row',
    'last_success_at',
    'last_failure_at',
    'previous_secret_until',
    'created_at',
    'updated_at',
  ],
  filters: {
    id: text,
    url: text,
    description: text,
    ordering: text,
    max_per_second: wholeNumberInput(1, 1_000),
    status: text,
    status_reason: text,
    status_changed_at: timestampInput,
    failing_since: timestampInput,
    failures_in_row: count,
    last_success_at: timestampInput,
    last_failure_at: timestampInput,
    previous_secret_until: timestampInput,
    created_at: timestampInput,
    updated_at: timestampInput,
  },
});
export type WebhookListQuery = z.output<typeof webhookListQuery>;

export const webhookList = listResponse(webhookResource);
