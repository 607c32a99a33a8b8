import { z } from 'zod';
import { exampleId, timestampInput, timestampOutput } from '../fields.ts';
import { csvExample } from './csv-example.ts';

/** What durations can be grouped by. */
const durationGroupings = ['role', 'agent', 'step'] as const;
export type DurationGrouping = (typeof durationGroupings)[number];
/** Maximum number of days in one request, and of groups in a response. */
const [maxDays, maxGroups] = [100, 200];

const groupBy = z
  .enum(durationGroupings)
  .describe(
    'What the groups are: roles, agents, or steps of workflows. Tasks without a role have the key "". An agent has what it completed itself.',
  );

export const durationQuery = z.object({
  group_by: groupBy.default('role'),
  key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Limits all numbers to one group: a role, the ID of an agent, or `<ID of the workflow>/<ID of the step>`.',
    ),
  from: timestampInput
    .optional()
    .describe(
      `The first day is the one with this time. Default: the last 30 days. At most ${maxDays} days before \`to\`.`,
    ),
  to: timestampInput.optional().describe('The last day is the one with this time. Days begin in UTC. Default: now.'),
});
export type DurationQuery = z.output<typeof durationQuery>;

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
export const durationQuantiles = {
  p50_seconds: 0.5,
  p75_seconds: 0.75,
  p90_seconds: 0.9,
  p95_seconds: 0.95,
  p99_seconds: 0.99,
} as const;
type Quantile = keyof typeof durationQuantiles;

const distribution = z
  .object({
    count: count.describe('Number of durations.'),
    mean_seconds: count.describe('Their mean, exact.'),
    p50_seconds: count.describe('The median. Each percentile is within 5 % of the exact one, and at least a second.'),
    p75_seconds: count.describe('75 % took at most this time.'),
    p90_seconds: count.describe('90 % took at most this time.'),
    p95_seconds: count.describe('95 % took at most this time.'),
    p99_seconds: count.describe('99 % took at most this time.'),
  })
  .meta({ id: 'DurationDistribution', description: 'How durations are distributed.' });
export type DurationDistribution = z.infer<typeof distribution>;

const figures = {
  completed: count.describe('Number of tasks, or of steps, that were completed.'),
  reworked: count.describe(
    'How many of them were not accepted at first: tasks that were opened again after they had been handed in, or steps with more than one attempt.',
  ),
  rework_rounds: count.describe('How often that was, in total.'),
  cycle_time: distribution
    .nullable()
    .describe('Time from the first claim to completion; of a step, from its start. null: there is none.'),
  waiting_time: distribution
    .nullable()
    .describe(
      'Time from when a task was created, or opened again, to its first claim. null: there is none, or these are steps.',
    ),
};
const exampleFigures = {
  completed: 12,
  reworked: 3,
  rework_rounds: 4,
  cycle_time: {
    count: 12,
    mean_seconds: 2_100,
    p50_seconds: 1_500,
    p75_seconds: 2_400,
    p90_seconds: 4_200,
    p95_seconds: 5_100,
    p99_seconds: 7_300,
  },
  waiting_time: {
    count: 12,
    mean_seconds: 95,
    p50_seconds: 40,
    p75_seconds: 120,
    p90_seconds: 240,
    p95_seconds: 310,
    p99_seconds: 420,
  },
};
const total = z
  .object(figures)
  .meta({ id: 'DurationFigures', description: 'How long what was completed took, and how much of it was rework.' });
export type DurationFigures = z.infer<typeof total>;
const group = z
  .object({ key: z.string().max(200).describe('The role, agent or step.'), ...figures })
  .meta({ id: 'DurationGroup', description: 'How long what was completed took, of one group.' });
const point = z
  .object({ at: timestampOutput.describe('Start of the day.'), ...figures })
  .meta({ id: 'DurationPoint', description: 'How long what was completed on one day took.' });

export const durationReport = z
  .object({
    group_by: groupBy,
    total: total.describe('Of all tasks, or of all steps; with `key`, of that group.'),
    groups: z.array(group).max(maxGroups).describe(`The groups with the most completed first, at most ${maxGroups}.`),
    points: z.array(point).max(maxDays).describe('The days in order, also those on which nothing was completed.'),
  })
  .meta({
    id: 'DurationReport',
    description: 'How long tasks or steps took that were completed on the days of a range.',
    example: {
      group_by: 'agent',
      total: exampleFigures,
      groups: [{ key: exampleId('agt'), ...exampleFigures }],
      points: [{ at: '2026-11-20T00:00:00Z', ...exampleFigures }],
    },
  });
export type DurationReport = z.infer<typeof durationReport>;

const distributionFields = ['count', 'mean_seconds', ...(Object.keys(durationQuantiles) as Quantile[])] as const;
const cellsOf = (name: string, one: DurationDistribution | null) =>
  Object.fromEntries(distributionFields.map((field) => [`${name}_${field}`, one?.[field] ?? '']));

/** A row of the export. Distributions are empty where there is none. `key` is "" for the total. */
export const durationRow = (key: string, { cycle_time, waiting_time, ...counts }: DurationFigures) => ({
  key,
  ...counts,
  ...cellsOf('cycle_time', cycle_time),
  ...cellsOf('waiting_time', waiting_time),
});
const exampleRows = [durationRow('', exampleFigures), durationRow(exampleId('agt'), exampleFigures)] as const;
/** Columns of the export, in their order. */
export const durationColumns = Object.keys(exampleRows[0]);
export const durationExportExample = csvExample([durationColumns, ...exampleRows.map((row) => Object.values(row))]);
export { maxDays as maxDurationDays, maxGroups as maxDurationGroups };
