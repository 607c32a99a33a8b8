import { z } from 'zod';

/** Numbers are below 2^53, so that JSON has all their digits. */
const sum = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What a tenant used in a month. */
export const usageFigures = {
  tasks_created: sum.describe('Tasks that were created.'),
  tasks_completed: sum.describe('Tasks that were completed, and not opened again in the month.'),
  runs: sum.describe('Runs of workflows that were started.'),
  events: sum.describe('Public events.'),
  deliveries: sum.describe('Deliveries of webhooks: one for each of these events and each webhook that gets it.'),
  delivered: sum.describe('How many of them a receiver has taken.'),
  delivery_attempts: sum.describe('How many requests were sent for them, with all retries.'),
  inbound_events: sum.describe('Webhooks that were received, each once.'),
  model_calls: sum.describe('Calls of agents to models.'),
  input_tokens: sum.describe('Input tokens of these calls that were in no cache.'),
  output_tokens: sum.describe('Output tokens.'),
  cache_read_tokens: sum.describe('Input tokens that were read from a cache.'),
  cache_write_tokens: sum.describe('Input tokens that were written into a cache.'),
  model_cost_usd: z
    .number()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('What the calls cost by the prices of the tenant, in USD.'),
  storage_bytes: sum
    .nullable()
    .describe(
      'Bytes that the tenant takes up in the database, as estimated once a day from a sample: the last estimate. null: there is none.',
    ),
  average_storage_bytes: sum
    .nullable()
    .describe('Mean of the estimates of the month, which is closer than each of them. null: there are none.'),
};
export type UsageFigures = z.infer<z.ZodObject<typeof usageFigures>>;
export const usageFigureNames = Object.keys(usageFigures) as (keyof UsageFigures)[];

export const exampleUsageFigures: UsageFigures = {
  tasks_created: 4_120,
  tasks_completed: 3_987,
  runs: 610,
  events: 61_300,
  deliveries: 118_200,
  delivered: 117_950,
  delivery_attempts: 119_410,
  inbound_events: 8_400,
  model_calls: 22_750,
  input_tokens: 91_000_000,
  output_tokens: 11_200_000,
  cache_read_tokens: 172_000_000,
  cache_write_tokens: 20_500_000,
  model_cost_usd: 612.48,
  storage_bytes: 734_003_200,
  average_storage_bytes: 702_545_920,
};
