import { maxSeriesPoints, type PerformanceSeries, type SeriesInterval, type SeriesQuery } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { readThroughput, type Throughput } from './series.read-model.ts';

const lengthMs: Readonly<Record<SeriesInterval, number>> = { hour: 3_600_000, day: 86_400_000 };
const defaultPoints = 30;

/**
 * What happened to tasks in each hour or day (UTC) of a range, from the roll-ups. Throws invalid_request for a range that
 * is too long or ends before it begins.
 */
export async function getSeries(
  ctx: UseCaseContext,
  { interval, from, to = ctx.clock.now(), role }: SeriesQuery,
): Promise<PerformanceSeries> {
  const step = lengthMs[interval];
  const startOf = (at: Date) => Math.floor(at.getTime() / step) * step;
  const last = startOf(to);
  const first = from ? startOf(from) : last - (defaultPoints - 1) * step;
  const points = (last - first) / step + 1;
  if (points < 1 || points > maxSeriesPoints) throw wrongRange(interval);
  const range = { interval, first: new Date(first), last: new Date(last), role };
  const byStart = new Map((await readThroughput(ctx, range)).map((one) => [one.at.getTime(), one]));
  const starts = Array.from({ length: points }, (_, index) => first + index * step);
  return { interval, points: starts.map((at) => pointOf(at, byStart.get(at))) };
}

function pointOf(at: number, throughput: Throughput | undefined): PerformanceSeries['points'][number] {
  const { created, completed, late, failed, completionMs, completionCount } = throughput ?? nothing;
  const mean = completionCount > 0 ? Math.max(0, Math.round(completionMs / completionCount / 1_000)) : null;
  return { at: formatTimestamp(new Date(at)), created, completed, late, failed, avg_completion_seconds: mean };
}

const nothing = { created: 0, completed: 0, late: 0, failed: 0, completionMs: 0, completionCount: 0 };

function wrongRange(interval: SeriesInterval): AppError {
  const message = `must not be after to, nor more than ${maxSeriesPoints} ${interval}s before it`;
  return new AppError('invalid_request', { violations: [{ field: 'from', constraint: 'max', message }] });
}
