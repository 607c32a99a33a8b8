import type { PerformanceMetrics, PerformancePeriod } from '@eas/contracts';
import { formatHours, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { readPerformance, type RoleRollup } from './performance.read-model.ts';
import { startOfPeriod } from './period.ts';
import { addRollups, averageCompletionMs, completionRate, meanScore, type Rollup } from './facts/rollup.ts';

/** Figures of the current period up to now, from the roll-ups. A role without agents has zeros. */
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
      ...completionTimes(all),
    },
    agents: Object.fromEntries(roles.filter((row) => row.role !== '').map((row) => [row.role, rolePerformance(row)])),
  };
}

function completionTimes(rollup: Rollup) {
  const ms = averageCompletionMs(rollup);
  return { avg_completion_time: formatHours(ms ?? 0), avg_completion_seconds: ms && Math.round(ms / 1_000) };
}

function rolePerformance(rollup: RoleRollup): PerformanceMetrics['agents'][string] {
  const quality = meanScore(rollup.qualityTotal, rollup.qualityCount);
  const clarity = meanScore(rollup.clarityTotal, rollup.clarityCount);
  return {
    tasks_completed: rollup.completed,
    ...completionTimes(rollup),
    ...(rollup.role === 'rd' ? { code_quality: quality ?? 0 } : {}),
    ...(rollup.role === 'pm' ? { requirements_clarity: clarity ?? 0 } : {}),
    scores: { code_quality: quality, requirements_clarity: clarity },
  };
}
