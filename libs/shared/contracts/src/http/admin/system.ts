import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { maxCursorLength, maxPageSize } from '../list.ts';

const version = (description: string) => z.string().max(100).nullable().describe(description);
const count = (description: string) => z.int().min(0).describe(description);
const seconds = (description: string) => z.number().min(0).max(1_000_000_000).describe(description);

/** Dead events are counted up to this number, so that the cost is bounded. */
const maxCountedDead = 10_000;
/** Maximum number of dead events that one call retries. */
export const maxRetried = 1_000;

const queueDepth = z
  .object({
    name: z.string().max(64).describe('Name of the queue.'),
    waiting: count('Jobs that wait for a worker.'),
    active: count('Jobs that a worker has.'),
    delayed: count('Jobs that wait for their time.'),
    failed: count('Failed jobs that are kept for a look.'),
  })
  .meta({ id: 'QueueDepth', description: 'The jobs of a queue.' });

const setting = z
  .object({
    name: z.string().max(64).describe('Name of the environment variable.'),
    description: z.string().max(1_000).describe('What it sets.'),
    value: z
      .string()
      .max(100_000)
      .nullable()
      .describe('The value in force, addresses without their password. null: unset, or secret.'),
    is_set: z.boolean().describe('Whether there is a value.'),
    is_default: z.boolean().describe('Whether the value is the default.'),
    is_secret: z.boolean().describe('Whether the value is never shown.'),
  })
  .meta({ id: 'ShownSetting', description: 'A setting of the gateway as it is in force.' });

const exampleState = {
  versions: {
    service: '0.1.0',
    node: '24.21.0',
    schema: '20261123160000_cancelled_inputs',
    postgres: '18.4',
    queue_store: 'redis',
  },
  started_at: exampleTime,
  outbox: { unsent_seconds: 0.2, unconsumed_seconds: 1.1, dead: 0 },
  queues: [{ name: 'webhooks', waiting: 0, active: 1, delayed: 0, failed: 0 }],
  loudest_tenants: [
    {
      tenant_id: exampleId('tnt'),
      slug: 'acme',
      name: 'Acme',
      share: 0.42,
      calls: 18_200,
      database_ms: 96_500,
      bytes: 210_000_000,
      received_webhooks: 310,
      delivery_attempts: 5_400,
    },
  ],
  settings: [
    {
      name: 'LEASE_SECONDS',
      description: 'Seconds until a lease expires without a heartbeat or another call, unless its claim names others.',
      value: '60',
      is_set: true,
      is_default: true,
      is_secret: false,
    },
  ],
};

const versions = z
  .object({
    service: version('Version of this service.'),
    node: version('Version of Node.'),
    schema: version('The newest migration of the database.'),
    postgres: version('Version of Postgres.'),
    queue_store: z.enum(['postgres', 'redis']).describe('Where the queues are.'),
  })
  .meta({ id: 'SystemVersions', description: 'What runs.' });

const outbox = z
  .object({
    unsent_seconds: seconds('Lag of the relay: age of the oldest event that is due and not in a queue yet.'),
    unconsumed_seconds: seconds('Age of the oldest event that is in a queue and was not consumed yet.'),
    dead: count(`Events that a consumer gave up on, counted up to ${maxCountedDead}.`),
  })
  .meta({ id: 'OutboxState', description: 'What consumers still owe.' });

const loadOf = (description: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(description);
const loudTenant = z
  .object({
    tenant_id: idOf('ID of the tenant.'),
    slug: z.string().max(64).nullable().describe('Short name of the tenant. null: it does not exist any more.'),
    name: z.string().max(1_000).nullable().describe('Name of the tenant. null: it does not exist any more.'),
    share: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'Its share of the work for all tenants, from 0 to 1. A call, a received webhook, an attempt of a delivery, 64 KiB and 50 ms of the database count the same.',
      ),
    calls: loadOf('Requests to the API.'),
    database_ms: loadOf('Duration of their read statements in Postgres, in milliseconds.'),
    bytes: loadOf('Bytes of responses and of received webhooks.'),
    received_webhooks: loadOf('Webhooks that came in.'),
    delivery_attempts: loadOf('Requests that were sent to webhooks.'),
  })
  .meta({ id: 'LoudTenant', description: 'What was done for a tenant in the last hour.' });

/** How many of the loudest tenants are shown. */
export const maxLoudTenants = 10;

export const systemState = z
  .object({
    versions,
    started_at: timestampOutput.describe('When the gateway that responded was started.'),
    outbox,
    queues: z.array(queueDepth).max(100).nullable().describe('The queues. null: the queue store does not respond.'),
    loudest_tenants: z
      .array(loudTenant)
      .max(maxLoudTenants)
      .describe(
        'The tenants that all processes did most for in the last hour, the loudest first. The last minute may be missing.',
      ),
    settings: z.array(setting).max(500).describe('Settings of the gateway, by name.'),
  })
  .meta({ id: 'SystemState', description: 'State of the installation.', example: exampleState });
export type SystemState = z.infer<typeof systemState>;

const consumer = z.string().min(1).max(64).describe('Who gave up on the event.');
const deadEventKey = z
  .strictObject({
    tenant_id: z.string().min(1).max(64).describe('The tenant of the event.'),
    event_id: z.string().min(1).max(64).describe('ID of the event.'),
    consumer,
  })
  .meta({ id: 'DeadEventKey', description: 'Which event, and who gave up on it.' });
const exampleKey = { tenant_id: exampleId('tnt'), event_id: exampleId('evt'), consumer: 'event.fan_out' };

const exampleDeadEvent = {
  ...exampleKey,
  event_type: 'task.completed',
  attempts: 10,
  last_error: 'connect ECONNREFUSED 127.0.0.1:5432',
  dead_at: exampleTime,
};

const deadEvent = z
  .object({
    tenant_id: idOf('The tenant of the event.'),
    event_id: idOf('ID of the event.'),
    consumer,
    event_type: z.string().max(64).nullable().describe('The type of the event. null if it is no longer stored.'),
    attempts: count('Number of attempts.'),
    last_error: z.string().max(1_000).nullable().describe('What went wrong the last time.'),
    dead_at: timestampOutput.describe('When the consumer gave up.'),
  })
  .meta({
    id: 'DeadEvent',
    description: 'An event that a consumer could not process: it failed ten times and is kept.',
    example: exampleDeadEvent,
  });
export type DeadEvent = z.infer<typeof deadEvent>;

export const deadEventQuery = z.object({
  limit: wholeNumberInput(1, maxPageSize)
    .optional()
    .meta({ default: 20, description: 'Maximum number of items in the page.' }),
  after: z
    .string()
    .max(maxCursorLength)
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page. Leave it out or empty for the first page.' }),
});

const deadEventPagination = z
  .object({
    limit: z.int().min(1).max(maxPageSize).describe('Maximum number of items in the page.'),
    has_more: z.boolean().describe('Whether there is a further page.'),
    next_cursor: z.string().max(maxCursorLength).nullable().describe('Send it as `after`; null on the last page.'),
  })
  .meta({ id: 'DeadEventPagination', description: 'Position of a page.' });

export const deadEventList = z
  .object({
    data: z.array(deadEvent).max(maxPageSize).describe('The items of the page, the latest first.'),
    pagination: deadEventPagination,
  })
  .meta({
    id: 'DeadEventPage',
    description: 'A page of dead events.',
    example: { data: [exampleDeadEvent], pagination: { limit: 20, has_more: false, next_cursor: null } },
  });

export const retryDeadEventsBody = z
  .strictObject({
    events: z
      .array(deadEventKey)
      .min(1)
      .max(maxPageSize)
      .optional()
      .describe(`Which ones. Left out: the oldest ${maxRetried}.`),
  })
  .meta({ id: 'RetryDeadEvents', description: 'Which dead events to try again.', example: { events: [exampleKey] } });

export const retriedDeadEvents = z
  .object({
    retried: count('Number of events that are tried again. Ones that are not dead any more do not count.'),
    has_more: z.boolean().describe('Whether there are more dead events.'),
  })
  .meta({ id: 'RetriedDeadEvents', description: 'What a retry did.', example: { retried: 1, has_more: false } });
