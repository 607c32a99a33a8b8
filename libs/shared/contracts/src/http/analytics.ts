import { z } from 'zod';
import { exampleTime, hours, meanSeconds, role, timestampInput, timestampOutput } from '../fields.ts';
import { csvExample } from './csv-example.ts';

export const performancePeriods = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PerformancePeriod = (typeof performancePeriods)[number];

const period = z
  .enum(performancePeriods)
  .meta({ id: 'PerformancePeriod', description: 'The current period in UTC, from its start until now.' });

export const performanceQuery = z.object({
  period: z.enum(performancePeriods).default('month').describe('The current period in UTC, from its start until now.'),
  role: role.optional().describe('Limits all numbers to one agent role.'),
});

const count = z.int().min(0).max(2_147_483_647);
/** Score from 0 to 100, the mean of the given ones. Where the interface requires a number, it is 0 without any. */
const meanScore = z.int().min(0).max(100);
const meanTime = hours.describe(
  'Mean time from the first claim to completion, in hours. `0h` also if there is none: see `avg_completion_seconds`.',
);
const meanScores = z
  .object({
    code_quality: meanScore.nullable().describe('Mean code quality score. null: there are none.'),
    requirements_clarity: meanScore.nullable().describe('Mean requirements clarity score. null: there are none.'),
  })
  .meta({ id: 'MeanScores', description: 'Means of the scores that were given.' });

const rolePerformance = z
  .object({
    tasks_completed: count.describe('Number of completed tasks.'),
    avg_completion_time: meanTime,
    avg_completion_seconds: meanSeconds,
    code_quality: meanScore
      .optional()
      .describe('Mean code quality score, 0 if there are none: see `scores`. Only for the role rd.'),
    requirements_clarity: meanScore
      .optional()
      .describe('Mean requirements clarity score, 0 if there are none: see `scores`. Only for the role pm.'),
    scores: meanScores,
  })
  .meta({ id: 'RolePerformance', description: 'How the agents of one role perform.' });

const dateRange = z
  .object({
    start: timestampOutput.describe('Start of the period.'),
    end: timestampOutput.describe('End of the range: now.'),
  })
  .meta({ id: 'DateRange', description: 'The time that the numbers cover.' });

const taskPerformance = z
  .object({
    total: count.describe('Number of tasks that were created in the period.'),
    completed: count.describe('How many of them are completed.'),
    in_progress: count.describe('How many of them are in progress.'),
    overdue: count.describe('How many of them are past their due date and not final.'),
    completion_rate: z.number().min(0).max(1).describe('completed divided by total. 0 if there are no tasks.'),
    avg_completion_time: meanTime,
    avg_completion_seconds: meanSeconds,
  })
  .meta({ id: 'TaskPerformance', description: 'How the tasks of the period are doing.' });

export const performanceMetrics = z
  .object({
    period,
    date_range: dateRange,
    tasks: taskPerformance,
    agents: z
      .record(z.string().max(64), rolePerformance)
      .describe('The same tasks by role: an entry for every role that has an agent or a task.'),
  })
  .meta({
    id: 'PerformanceMetrics',
    description: 'How tasks and agents perform in the current period.',
    example: {
      period: 'month',
      date_range: { start: '2026-11-01T00:00:00Z', end: exampleTime },
      tasks: {
        total: 40,
        completed: 30,
        in_progress: 6,
        overdue: 1,
        completion_rate: 0.75,
        avg_completion_time: '2.5h',
        avg_completion_seconds: 9_000,
      },
      agents: {
        rd: {
          tasks_completed: 25,
          avg_completion_time: '2.8h',
          avg_completion_seconds: 10_080,
          code_quality: 91,
          scores: { code_quality: 91, requirements_clarity: null },
        },
        pm: {
          tasks_completed: 0,
          avg_completion_time: '0h',
          avg_completion_seconds: null,
          requirements_clarity: 0,
          scores: { code_quality: null, requirements_clarity: null },
        },
      },
    },
  });
export type PerformanceMetrics = z.infer<typeof performanceMetrics>;

export const performanceColumns = [
  'role',
  'total',
  'completed',
  'in_progress',
  'overdue',
  'completion_rate',
  'avg_completion_seconds',
  'code_quality',
  'requirements_clarity',
] as const;
export type PerformanceRow = Record<(typeof performanceColumns)[number], string | number | null>;
export const performanceExportExample = csvExample([
  performanceColumns,
  ['', 40, 30, 6, 1, 0.75, 9_000, 91, ''],
  ['rd', 31, 25, 5, '', 0.8065, 10_080, 91, ''],
]);

const seriesIntervals = ['hour', 'day'] as const;
export type SeriesInterval = (typeof seriesIntervals)[number];
/** Maximum number of points of a series. */
export const maxSeriesPoints = 400;

const interval = z.enum(seriesIntervals);

export const seriesQuery = z.object({
  interval: interval.default('day').describe('Length of an interval. Days and hours begin in UTC.'),
  from: timestampInput
    .optional()
    .describe(
      `The first interval is the one with this time. Default: the last 30 intervals. At most ${maxSeriesPoints} intervals before \`to\`.`,
    ),
  to: timestampInput.optional().describe('The last interval is the one with this time. Default: now.'),
  role: role.optional().describe('Limits all numbers to one agent role.'),
});
export type SeriesQuery = z.output<typeof seriesQuery>;

const seriesPoint = z
  .object({
    at: timestampOutput.describe('Start of the interval.'),
    created: count.describe('Number of tasks that were created in the interval.'),
    completed: count.describe('Number of tasks that were completed in the interval, whenever they were created.'),
    late: count.describe('How many of these were completed after their due date.'),
    failed: count.describe('How often a task failed in the interval. A task that is tried again can fail again.'),
    avg_completion_seconds: meanSeconds,
  })
  .meta({ id: 'SeriesPoint', description: 'What happened to tasks in one interval.' });

export const performanceSeries = z
  .object({
    interval: interval.describe('Length of an interval.'),
    points: z.array(seriesPoint).max(maxSeriesPoints).describe('The intervals in order, also those without tasks.'),
  })
  .meta({
    id: 'PerformanceSeries',
    description: 'What happened to tasks over time.',
    example: {
      interval: 'day',
      points: [
        { at: '2026-11-19T00:00:00Z', created: 12, completed: 9, late: 1, failed: 0, avg_completion_seconds: 5_400 },
        { at: '2026-11-20T00:00:00Z', created: 4, completed: 0, late: 0, failed: 1, avg_completion_seconds: null },
      ],
    },
  });
export type PerformanceSeries = z.infer<typeof performanceSeries>;

export const seriesColumns = Object.keys(seriesPoint.shape);
export const seriesExportExample = csvExample([seriesColumns, ['2026-11-19T00:00:00Z', 12, 9, 1, 0, 5_400]]);
