import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../../fields.ts';
import { eventResource } from '../events.ts';
import { listQuery, listResponse } from '../list.ts';

export const deliveryStatuses = ['pending', 'held', 'delivered', 'dead'] as const;

export const deliveryStatus = z.enum(deliveryStatuses).meta({
  id: 'DeliveryStatus',
  description:
    'pending: it is sent now or at `next_attempt_at`; held: kept while the webhook is paused; delivered: the receiver accepted it; dead: no further attempt is made. New values can be added.',
});

/** The result of one request. */
export const attemptOutcome = z
  .string()
  .max(64)
  .describe(
    '`delivered`; `redirect`, `http_4xx` or `http_5xx` for a response of another status; else why there was no response: `dns`, `refused`, `unreachable`, `reset`, `tls`, `timeout_connect`, `timeout_headers`, `timeout_body`, `blocked_target`, `protocol`, `secret` or `other`. New values can be added.',
  );

const reason = z.string().max(64).nullable();
const attempts = z.int().min(0).max(1_000_000);
/** Milliseconds. */
const duration = z.int().min(0).max(2_147_483_647);
const httpStatus = z.int().min(100).max(999).nullable();
const eventType = z.string().max(64).nullable();

const exampleDelivery = {
  id: exampleId('dlv'),
  webhook_id: exampleId('whk'),
  event_id: exampleId('evt'),
  event_type: 'task.cancelled',
  status: 'dead',
  reason: null,
  attempts: 10,
  last_status: 500,
  last_outcome: 'http_5xx',
  next_attempt_at: null,
  created_at: exampleTime,
  settled_at: '2026-11-23T13:00:00Z',
};

export const deliveryResource = z
  .object({
    id: idOf('ID of the delivery.'),
    webhook_id: idOf('The webhook that receives the event.'),
    event_id: idOf('ID of the event.'),
    event_type: eventType.describe('The type of the event. null if the event is no longer stored.'),
    status: deliveryStatus,
    reason: reason.describe('Why the delivery waits or ended, if its attempts do not say so. A word for programs.'),
    attempts: attempts.describe('Number of attempts so far.'),
    last_status: httpStatus.describe('HTTP status of the response to the last attempt. null if there was none.'),
    last_outcome: attemptOutcome.nullable().describe('Outcome of the last attempt. null before the first one.'),
    next_attempt_at: timestampOutput.nullable().describe('When the next attempt is due. null unless `pending`.'),
    created_at: timestampOutput.describe('When the delivery was created.'),
    settled_at: timestampOutput.nullable().describe('When the delivery became `delivered` or `dead`.'),
  })
  .meta({ id: 'Delivery', description: 'An event on its way to a webhook.', example: exampleDelivery });
export type DeliveryResource = z.infer<typeof deliveryResource>;

const phase = duration.nullable();
const phases = z
  .object({
    dns_ms: phase.describe('Resolving the name.'),
    connect_ms: phase.describe('Opening the connection.'),
    tls_ms: phase.describe('The TLS handshake.'),
    first_byte_ms: phase.describe('From the request to the first byte of the response.'),
    body_ms: phase.describe('Reading the body of the response.'),
  })
  .meta({
    id: 'DeliveryPhases',
    description:
      'Durations of the parts of an attempt, in milliseconds. null: the part was not reached, or an open connection was used.',
  });

const exampleAttempt = {
  number: 10,
  started_at: '2026-11-23T13:00:00Z',
  duration_ms: 41,
  status: 500,
  outcome: 'http_5xx',
  error: null,
  url: 'https://example.com/hooks',
  phases: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: 40, body_ms: 1 },
  response: 'Out of order',
  response_headers: { 'content-type': 'text/plain' },
  is_response_cut: false,
};

/** Maximum number of stored characters of a response. */
const maxResponseLength = 16_384;

const deliveryAttempt = z
  .object({
    number: z.int().min(1).max(1_000_000).describe('Number of the attempt, from 1.'),
    started_at: timestampOutput.describe('When the attempt started.'),
    duration_ms: duration.describe('Duration of the attempt in milliseconds.'),
    status: httpStatus.describe('HTTP status of the response. null if there was none.'),
    outcome: attemptOutcome,
    error: z.string().max(2_000).nullable().describe('What went wrong, for people. null if there was a response.'),
    url: z.string().max(2_048).nullable().describe('Address that the attempt was sent to.'),
    phases,
    response: z
      .string()
      .max(maxResponseLength)
      .nullable()
      .describe('The body of the response as text, up to 16 KiB. null without a response.'),
    response_headers: z
      .record(z.string().max(256), z.string().max(65_536))
      .nullable()
      .describe('Headers of the response.'),
    is_response_cut: z.boolean().describe('Whether the body of the response was longer than what is stored.'),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One POST to the receiver.', example: exampleAttempt });
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;

const exampleRequest = {
  url: 'https://example.com/hooks',
  headers: {
    'content-type': 'application/json',
    'user-agent': 'engineering-agent-service',
    'webhook-id': exampleId('evt'),
    'webhook-timestamp': '1795438800',
  },
  custom_headers: ['x-environment'],
  body: z.globalRegistry.get(eventResource)?.example,
};

const deliveryRequest = z
  .object({
    url: z.string().max(2_048).describe('Address that the webhook has now.'),
    headers: z
      .record(z.string().max(256), z.string().max(2_048))
      .describe('Headers, without signatures. `webhook-timestamp` is the time of the last attempt.'),
    custom_headers: z
      .array(z.string().max(256))
      .max(100)
      .describe('Names of the headers that the webhook adds. Their values are never returned.'),
    body: eventResource
      .nullable()
      .describe('The event as it is sent. null if it is no longer stored, or if your scopes do not let you read it.'),
  })
  .meta({ id: 'DeliveryRequest', description: 'What is sent to the receiver.', example: exampleRequest });

export const maxShownAttempts = 50;

export const deliveryDetail = deliveryResource
  .extend({
    history: z
      .array(deliveryAttempt)
      .max(maxShownAttempts)
      .describe(`The newest attempts, oldest first: at most ${maxShownAttempts}, and about 512 KiB of them.`),
    history_truncated: z.boolean().describe('Whether there are older attempts.'),
    request: deliveryRequest,
  })
  .meta({
    id: 'DeliveryDetail',
    base: 'Delivery',
    description: 'A delivery with its attempts and its request.',
    example: { ...exampleDelivery, history: [exampleAttempt], history_truncated: true, request: exampleRequest },
  });
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

const text = z.string().max(64);

export const deliveryListQuery = listQuery({
  sortable: ['event_id'],
  filters: {
    status: z.enum(deliveryStatuses).describe('Only deliveries with this status.'),
    event_type: text.describe('Only deliveries of events of this type.'),
    event_id: text.describe('Only the delivery of this event.'),
    reason: text.describe('Only deliveries with this reason.'),
    created_after: timestampInput.describe('Only deliveries created at or after this time.'),
    created_before: timestampInput.describe('Only deliveries created before this time.'),
  },
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

export const deliveryList = listResponse(deliveryResource);

/** Webhooks whose dead deliveries are counted, and how far each is. */
export const maxCountedWebhooks = 100;
export const maxCountedDeadDeliveries = 100;

export const deadDeliveryQuery = z.object({
  created_after: timestampInput.optional().describe('Only deliveries created at or after this time.'),
});

const exampleDead = { webhook_id: exampleId('whk'), url: 'https://example.com/hooks', count: 2 };
const deadDeliveryCount = z
  .object({
    webhook_id: idOf('The webhook.'),
    url: z.string().max(2_048).describe('Address of the webhook.'),
    count: z
      .int()
      .min(1)
      .max(maxCountedDeadDeliveries)
      .describe(`Number of dead deliveries among its newest ${maxCountedDeadDeliveries} dead ones.`),
  })
  .meta({ id: 'DeadDeliveryCount', description: 'How many dead deliveries a webhook has.', example: exampleDead });

export const deadDeliveryCounts = z
  .object({
    data: z
      .array(deadDeliveryCount)
      .max(maxCountedWebhooks)
      .describe(
        `Webhooks with dead deliveries, the last one that failed first. The ${maxCountedWebhooks} webhooks that failed last are searched.`,
      ),
  })
  .meta({
    id: 'DeadDeliveryCounts',
    description: 'How many dead deliveries webhooks have.',
    example: { data: [exampleDead] },
  });
export type DeadDeliveryCounts = z.infer<typeof deadDeliveryCounts>;

const eventDeliveryState = z
  .enum([
    'delivered',
    'dead',
    'pending',
    'retrying',
    'throttled',
    'paused',
    'disabled',
    'filtered',
    'created_later',
    'missing',
  ])
  .meta({
    id: 'EventDeliveryState',
    description: [
      'delivered: the receiver accepted the event; dead: no further attempt is made; pending: the event is sent soon;',
      'retrying: attempts failed, the next one is at `next_attempt_at`; throttled: the webhook limits its rate;',
      'paused: the delivery is kept until the webhook recovers; disabled: nothing is sent;',
      'filtered: the webhook does not subscribe to this type; created_later: the webhook is newer than the event;',
      'missing: there is no delivery, because the webhook got its subscription later, or deliveries of that age are no longer stored.',
      'New values can be added.',
    ].join(' '),
  });

/** Webhooks that an event shows. */
export const maxEventDeliveries = 100;

const eventDelivery = z
  .object({
    webhook_id: idOf('The webhook.'),
    delivery_id: idOf('The delivery. null if there is none.').nullable(),
    state: eventDeliveryState,
    reason: reason.describe('Why, as a word for programs: for example the outcome of the last attempt.'),
    attempts: attempts.describe('Number of attempts so far.'),
    last_status: httpStatus.describe('HTTP status of the last response. null if there was none.'),
    next_attempt_at: timestampOutput.nullable().describe('When the next attempt is due, if there is one.'),
  })
  .meta({
    id: 'EventDelivery',
    description: 'What became of an event at one webhook.',
    example: {
      webhook_id: exampleId('whk'),
      delivery_id: exampleId('dlv'),
      state: 'retrying',
      reason: 'http_5xx',
      attempts: 2,
      last_status: 503,
      next_attempt_at: exampleTime,
    },
  });
export type EventDelivery = z.infer<typeof eventDelivery>;

export const eventDetail = eventResource
  .extend({
    deliveries: z
      .array(eventDelivery)
      .max(maxEventDeliveries)
      .optional()
      .describe(
        `What became of the event at each webhook, at most ${maxEventDeliveries}. Only for callers with the scope \`webhooks:read\`.`,
      ),
  })
  .meta({
    id: 'EventDetail',
    base: 'Event',
    description: 'An event, and what became of it at each webhook.',
    example: {
      ...(z.globalRegistry.get(eventResource)?.example as object),
      deliveries: [z.globalRegistry.get(eventDelivery)?.example],
    },
  });
export type EventDetail = z.infer<typeof eventDetail>;
