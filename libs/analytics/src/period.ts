import { assertNever } from '@eas/core';
import type { PerformancePeriod } from '@eas/contracts';

/** First moment (UTC) of the calendar day, ISO week, month, quarter or year that `at` lies in. */
export function startOfPeriod(period: PerformancePeriod, at: Date): Date {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  const day = at.getUTCDate();
  switch (period) {
    case 'day':
      return new Date(Date.UTC(year, month, day));
    case 'week':
      // Sunday is 0 and closes an ISO week.
      return new Date(Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month));
    case 'quarter':
      return new Date(Date.UTC(year, month - (month % 3)));
    case 'year':
      return new Date(Date.UTC(year, 0));
    default:
      return assertNever(period);
  }
}
