import { z } from 'zod';
import { hours, role, timestampOutput } from './fields.ts';

export const performancePeriods = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PerformancePeriod = (typeof performancePeriods)[number];

/** Query of GET /v1/analytics/performance. */
export const performanceQuery = z.object({
  period: z.enum(performancePeriods).default('month').describe('The current one, UTC, up to now.'),
  role: role.optional().describe('Narrows all figures to one agent role.'),
});

const count = z.int().min(0).max(2_147_483_647);
/** Score from 0 to 100, the mean of those that were given; 0 when none was. */
const meanScore = z.int().min(0).max(100);

const rolePerformance = z.object({
  tasks_completed: count,
  avg_completion_time: hours,
  code_quality: meanScore.optional().describe('Of role rd alone.'),
  requirements_clarity: meanScore.optional().describe('Of role pm alone.'),
});

/** Answer of GET /v1/analytics/performance. */
export const performanceMetrics = z.object({
  period: z.enum(performancePeriods).describe('The period that was asked for.'),
  date_range: z.object({ start: timestampOutput, end: timestampOutput }),
  tasks: z.object({
    total: count,
    completed: count,
    in_progress: count,
    overdue: count,
    completion_rate: z.number().min(0).max(1),
    avg_completion_time: hours,
  }),
  agents: z.record(z.string().max(64), rolePerformance),
});
export type PerformanceMetrics = z.infer<typeof performanceMetrics>;
