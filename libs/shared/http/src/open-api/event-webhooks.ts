import { events } from '@eas/contracts';
import { z } from 'zod';
import type { Components } from './components.ts';
import { printSchema } from './json-schema.ts';
import { componentName } from './parameters.ts';

const deliveryHeaders = z.object({
  'X-Service-Signature': z
    .string()
    .max(71)
    .regex(/^sha256=[0-9a-f]{64}$/)
    .describe('HMAC-SHA256 of the raw body with the secret of the webhook, in lower-case hex.'),
  'webhook-id': z.string().max(64).describe('The `event_id`. It is the same for every attempt: use it to deduplicate.'),
  'webhook-timestamp': z.string().max(16).regex(/^\d+$/).describe('When this attempt was sent, in Unix seconds.'),
  'webhook-signature': z
    .string()
    .max(1_000)
    .describe('Signatures as defined by Standard Webhooks, separated by spaces: `v1,…`.'),
});

/** "task.created" → TaskCreated. */
const nameOfType = (type: string): string =>
  type.replace(/(^|[._])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase());

const eventId = z
  .string()
  .min(1)
  .max(64)
  .meta({ id: 'EventId', description: 'ID of the event. It is the same for every attempt.' });
const eventTime = z.iso.datetime().max(24).describe('When the event happened.');

type PublicEvent = { type: string; name: string; summary: string; payload: z.ZodType };

/** Made once: a schema has one name. */
const publicEvents: readonly PublicEvent[] = Object.entries(events)
  .filter(([, { visibility }]) => visibility === 'public')
  .map(([type, { data }]) => publicEventOf(type, data));

export const eventWebhooks = (components: Components): Record<string, unknown> =>
  Object.fromEntries(publicEvents.map((event) => [event.type, { post: operationOf(event, components) }]));

/** Not that of the webhooks' resource: generators make a class, and a file, of each tag in `paths` and in `webhooks`. */
export const receivedTag = 'Webhook events';

function publicEventOf(type: string, data: z.ZodType): PublicEvent {
  const name = nameOfType(type);
  const { description = '', example } = z.globalRegistry.get(data) ?? {};
  const payload = z
    .object({
      event_type: z.literal(type).describe('The type of the event.'),
      event_id: eventId,
      timestamp: eventTime,
      data: data.meta({ id: `${name}EventData`, example: undefined }),
    })
    .meta({
      id: `${name}Event`,
      description: `The payload of \`${type}\`.`,
      example: {
        event_type: type,
        event_id: 'evt_01ks0000000000000000000000',
        timestamp: '2026-11-20T10:00:00Z',
        data: example,
      },
    });
  return { type, name, summary: description, payload };
}

function operationOf({ type, name, summary, payload }: PublicEvent, components: Components) {
  const { properties = {} } = printSchema(deliveryHeaders).schema;
  return {
    operationId: `on${name}`,
    summary: `Receive ${type}`,
    description: `${summary} Respond with any 2xx status; the service tries any other response again later.`,
    tags: [receivedTag],
    security: [],
    parameters: Object.entries(properties).map(([header, { description, ...schema }]) =>
      components.add('parameters', `Delivered${componentName(header)}`, {
        name: header,
        in: 'header',
        required: true,
        description,
        schema,
      }),
    ),
    requestBody: { required: true, content: { 'application/json': components.mediaType(payload) } },
    responses: {
      '2XX': { description: 'You accepted the delivery.' },
      default: { description: 'The service will try the delivery again.' },
    },
  };
}
