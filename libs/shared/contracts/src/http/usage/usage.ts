import { z } from 'zod';
import { timestampInput, timestampOutput } from '../../fields.ts';
import { maxSeriesPoints } from '../analytics.ts';
import { csvExample } from '../csv-example.ts';

/** What usage can be grouped by. */
const usageDimensions = ['task', 'attempt', 'run', 'agent', 'role', 'project', 'model'] as const;
export type UsageDimension = (typeof usageDimensions)[number];
const intervals = ['hour', 'day'] as const;
const maxGroups = 100;

const groupBy = z
  .enum(usageDimensions)
  .describe('What the groups are: IDs of tasks, attempts (their leases), runs, agents or projects, or names.');
const interval = z.enum(intervals).describe('Length of an interval. Days and hours begin in UTC.');

export const usageQuery = z.object({
  group_by: groupBy.default('model'),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Limits all numbers to one group: one task, one model and so on.'),
  interval: interval.default('day'),
  from: timestampInput
    .optional()
    .describe(
      `The first interval is the one with this time. Default: the last 30 intervals. At most ${maxSeriesPoints} intervals before \`to\`.`,
    ),
  to: timestampInput.optional().describe('The last interval is the one with this time. Default: now.'),
});
export type UsageQuery = z.output<typeof usageQuery>;

const sum = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const sums = {
  calls: sum.describe('Number of calls.'),
  unpriced_calls: sum.describe('How many of them were to models without a price. They are not in `cost_usd`.'),
  estimated_calls: sum.describe('How many of them count as they were estimated, since their usage never came.'),
  input_tokens: sum.describe('Input tokens that were in no cache.'),
  output_tokens: sum.describe('Output tokens.'),
  cache_read_tokens: sum.describe('Input tokens that were read from a cache.'),
  cache_write_tokens: sum.describe('Input tokens that were written into a cache.'),
  cost_usd: z.number().min(0).max(Number.MAX_SAFE_INTEGER).describe('What they cost, in USD.'),
};
const exampleSums = {
  calls: 12,
  unpriced_calls: 0,
  estimated_calls: 0,
  input_tokens: 48_000,
  output_tokens: 6_000,
  cache_read_tokens: 90_000,
  cache_write_tokens: 12_000,
  cost_usd: 0.306,
};
const total = z.object(sums).meta({ id: 'UsageSums', description: 'What calls to models used.' });
const group = z
  .object({ key: z.string().max(200).describe('The task, attempt, run, agent, role, project or model.'), ...sums })
  .meta({ id: 'UsageGroup', description: 'What calls to models used, of one group.' });
const point = z
  .object({ at: timestampOutput.describe('Start of the interval.'), ...sums })
  .meta({ id: 'UsagePoint', description: 'What calls to models used in one interval.' });

export const usageReport = z
  .object({
    group_by: groupBy,
    interval,
    total,
    groups: z.array(group).max(maxGroups).describe(`The groups, the most expensive first, at most ${maxGroups}.`),
    points: z.array(point).max(maxSeriesPoints).describe('The intervals in order, also those without calls.'),
  })
  .meta({
    id: 'UsageReport',
    description: 'What agents used models for, over time and by group.',
    example: {
      group_by: 'model',
      interval: 'day',
      total: exampleSums,
      groups: [{ key: 'example-large-1', ...exampleSums }],
      points: [{ at: '2026-11-20T00:00:00Z', ...exampleSums }],
    },
  });
export type UsageReport = z.infer<typeof usageReport>;
/** Columns of the export, in their order. */
export const usageColumns = ['at', 'key', ...(Object.keys(sums) as (keyof typeof sums)[])] as const;
export const usageExportExample = csvExample([
  usageColumns,
  ['2026-11-20T00:00:00Z', 'example-large-1', ...Object.values(exampleSums)],
]);
/** Maximum number of rows in one export. */
export const maxUsageRows = 20_000;
export type UsageRow = { at: string; key: string } & UsageSums;
export type UsageSums = z.infer<typeof total>;
export { maxGroups as maxUsageGroups };
