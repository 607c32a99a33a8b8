import type { PerformanceSeries, SeriesQuery } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { intervalsOf } from './intervals.ts';
import { readThroughput, type Throughput } from './series.read-model.ts';

/**
 * What happened to tasks in each hour or day (UTC) of a range, from the roll-ups. Throws invalid_request for a range that
 * is too long or ends before it begins.
 */
export async function getSeries(
  ctx: UseCaseContext,
  { interval, from, to = ctx.clock.now(), role }: SeriesQuery,
): Promise<PerformanceSeries> {
  const { first, last, starts } = intervalsOf({ interval, from, to });
  const range = { interval, first, last, role };
  const byStart = new Map((await readThroughput(ctx, range)).map((one) => [one.at.getTime(), one]));
  return { interval, points: starts.map((at) => pointOf(at, byStart.get(at))) };
}

function pointOf(at: number, throughput: Throughput | undefined): PerformanceSeries['points'][number] {
  const { created, completed, late, failed, completionMs, completionCount } = throughput ?? nothing;
  const mean = completionCount > 0 ? Math.max(0, Math.round(completionMs / completionCount / 1_000)) : null;
  return { at: formatTimestamp(new Date(at)), created, completed, late, failed, avg_completion_seconds: mean };
}

const nothing = { created: 0, completed: 0, late: 0, failed: 0, completionMs: 0, completionCount: 0 };
