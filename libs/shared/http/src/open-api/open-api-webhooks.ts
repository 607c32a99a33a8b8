import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { events } from '@eas/contracts';
import { z } from 'zod';

type Webhook = Parameters<OpenAPIRegistry['registerWebhook']>[0];

const deliveryHeaders = z.object({
  'X-Service-Signature': z
    .string()
    .max(71)
    .regex(/^sha256=[0-9a-f]{64}$/)
    .describe('HMAC-SHA256 of the raw body under the secret of the endpoint, in lower-case hex.'),
  'webhook-id': z.string().max(64).describe('The event_id: the same at every attempt.'),
  'webhook-timestamp': z.string().max(16).regex(/^\d+$/).describe('Unix seconds of this attempt.'),
  'webhook-signature': z.string().max(1_000).describe('Signatures by the Standard Webhooks rules: `v1,…`.'),
});

/** Every public event, as the registered addresses receive it. */
export const webhooks = (): Webhook[] =>
  Object.entries(events)
    .filter(([, { visibility }]) => visibility === 'public')
    .map(([type, { data }]) => webhookOf(type, data));

/** "task.created" → onTaskCreated. */
const operationIdOf = (type: string): string =>
  type.replace(/(^|[._])(\w)/g, (_, _dot, letter) => letter.toUpperCase());

function webhookOf(type: string, data: z.ZodType): Webhook {
  const payload = z.object({
    event_type: z.literal(type),
    event_id: z.string().min(1).max(64).describe('The same at every attempt: deliveries may come twice.'),
    timestamp: z.iso.datetime().max(24).describe('When it happened.'),
    data,
  });
  return {
    method: 'post',
    path: type,
    operationId: `on${operationIdOf(type)}`,
    summary: `Sent for ${type}`,
    description: `POSTed to every endpoint whose \`events\` have \`${type}\`, its prefix or \`*\`; at least once, in no order.`,
    tags: ['Webhooks'],
    security: [],
    request: {
      headers: deliveryHeaders,
      body: { required: true, content: { 'application/json': { schema: payload } } },
    },
    responses: { '2XX': { description: 'The delivery is accepted.' }, default: { description: 'It is tried again.' } },
  };
}
