import { maxSeriesPoints, type SeriesInterval } from '@eas/contracts';
import { AppError } from '@eas/core';

const lengthMs: Readonly<Record<SeriesInterval, number>> = { hour: 3_600_000, day: 86_400_000 };
const defaultPoints = 30;

export type Intervals = { first: Date; last: Date; starts: readonly number[] };

/**
 * The hours or days (UTC) from the one with `from` to the one with `to`; unset: 30. `starts` in Unix milliseconds. Throws
 * invalid_request for a range that is too long or ends before it begins.
 */
export function intervalsOf(range: {
  interval: SeriesInterval;
  from: Date | undefined;
  to: Date;
  maxPoints?: number;
}): Intervals {
  const { interval, from, to, maxPoints = maxSeriesPoints } = range;
  const step = lengthMs[interval];
  const startOf = (at: Date) => Math.floor(at.getTime() / step) * step;
  const last = startOf(to);
  const first = from ? startOf(from) : last - (defaultPoints - 1) * step;
  const points = (last - first) / step + 1;
  if (points < 1 || points > maxPoints) throw wrongRange(interval, maxPoints);
  const starts = Array.from({ length: points }, (_, index) => first + index * step);
  return { first: new Date(first), last: new Date(last), starts };
}

function wrongRange(interval: SeriesInterval, maxPoints: number): AppError {
  const message = `must not be after to, nor more than ${maxPoints} ${interval}s before it`;
  return new AppError('invalid_request', { violations: [{ field: 'from', constraint: 'max', message }] });
}
