import type { PerformanceMetrics, PerformancePeriod, PerformanceRow } from '@eas/contracts';
import { formatHours, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { readPerformance, type RoleRollup } from './performance.read-model.ts';
import { startOfPeriod } from './period.ts';
import { addRollups, averageCompletionMs, completionRate, meanScore, type Rollup } from './facts/rollup.ts';

type Query = { period: PerformancePeriod; role?: string };

/** Figures of the current period up to now, from the roll-ups. A role without agents has zeros. */
export async function getPerformance(ctx: UseCaseContext, { period, role }: Query): Promise<PerformanceMetrics> {
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
    agents: Object.fromEntries(namedRoles(roles).map((row) => [row.role, rolePerformance(row)])),
  };
}

/** The same as a table: first a row of all tasks, without a role, then one of each role. */
export async function getPerformanceRows(ctx: UseCaseContext, { period, role }: Query): Promise<PerformanceRow[]> {
  const end = ctx.clock.now();
  const { roles, overdue } = await readPerformance(ctx, { start: startOfPeriod(period, end), end, role });
  const all = { ...addRollups(roles), role: '' };
  return [performanceRow(all, overdue), ...namedRoles(roles).map((rollup) => performanceRow(rollup, null))];
}

function performanceRow(rollup: RoleRollup, overdue: number | null): PerformanceRow {
  const { role, total, completed, inProgress } = rollup;
  const { avg_completion_seconds } = completionTimes(rollup);
  const figures = { total, completed, in_progress: inProgress, overdue, completion_rate: completionRate(rollup) };
  return { role, ...figures, avg_completion_seconds, ...meanScores(rollup) };
}

const namedRoles = (roles: readonly RoleRollup[]): RoleRollup[] => roles.filter(({ role }) => role !== '');

const meanScores = (rollup: Rollup) => ({
  code_quality: meanScore(rollup.qualityTotal, rollup.qualityCount),
  requirements_clarity: meanScore(rollup.clarityTotal, rollup.clarityCount),
});

function completionTimes(rollup: Rollup) {
  const ms = averageCompletionMs(rollup);
  return { avg_completion_time: formatHours(ms ?? 0), avg_completion_seconds: ms && Math.round(ms / 1_000) };
}

function rolePerformance(rollup: RoleRollup): PerformanceMetrics['agents'][string] {
  const scores = meanScores(rollup);
  return {
    tasks_completed: rollup.completed,
    ...completionTimes(rollup),
    ...(rollup.role === 'rd' ? { code_quality: scores.code_quality ?? 0 } : {}),
    ...(rollup.role === 'pm' ? { requirements_clarity: scores.requirements_clarity ?? 0 } : {}),
    scores,
  };
}
