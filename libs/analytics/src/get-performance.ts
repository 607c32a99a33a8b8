import type { PerformanceMetrics, PerformancePeriod } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { readPerformance, type RoleRollup } from './performance.read-model.ts';
import { startOfPeriod } from './period.ts';
import { addRollups, averageCompletionTime, completionRate, meanScore } from './rollup.ts';

/** Figures of the current period up to now, from the roll-ups. A role that nobody has gives zeros. */
export async function getPerformance(
  ctx: UseCaseContext,
  { period, role }: { period: PerformancePeriod; role?: string },
): Promise<PerformanceMetrics> {
  const end = ctx.clock.now();
  const start = startOfPeriod(period, end);
  const { roles, overdue } = await readPerformance(ctx, { start, end, role });
  const all = addRollups(roles);
  return {
    period,
    date_range: { start: formatTimestamp(start), end: formatTimestamp(end) },
    tasks: {
      total: all.total,
      completed: all.completed,
      in_progress: all.inProgress,
      overdue,
      completion_rate: completionRate(all),
      avg_completion_time: averageCompletionTime(all),
    },
    agents: Object.fromEntries(roles.filter((row) => row.role !== '').map((row) => [row.role, rolePerformance(row)])),
  };
}

function rolePerformance(rollup: RoleRollup): PerformanceMetrics['agents'][string] {
  return {
    tasks_completed: rollup.completed,
    avg_completion_time: averageCompletionTime(rollup),
    ...(rollup.role === 'rd' ? { code_quality: meanScore(rollup.qualityTotal, rollup.qualityCount) } : {}),
    ...(rollup.role === 'pm' ? { requirements_clarity: meanScore(rollup.clarityTotal, rollup.clarityCount) } : {}),
  };
}
