const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const counted = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' });

/** Above this number of days months are shown, and above the same number of months years. */
const maxDays = 60;
const maxMonths = 24;

/** "5 min. ago", "in 20 hr.", "tomorrow", "in 10 days"; "now" below a minute. From 24 hours on, days are those of the calendar. */
export function relativeTime(timestamp: string, nowMs: number): string {
  const then = new Date(timestamp);
  const now = new Date(nowMs);
  const distanceMs = then.getTime() - nowMs;
  const inUnits = (unitMs: number) => Math.trunc(distanceMs / unitMs);
  if (Math.abs(distanceMs) < minuteMs) return 'now';
  if (Math.abs(distanceMs) < hourMs) return relative.format(inUnits(minuteMs), 'minute');
  if (Math.abs(distanceMs) < dayMs) return relative.format(inUnits(hourMs), 'hour');
  const days = dayOf(then) - dayOf(now);
  if (Math.abs(days) <= maxDays) return relative.format(days, 'day');
  const months = monthsFrom(now, then);
  return Math.abs(months) < maxMonths
    ? counted.format(months, 'month')
    : counted.format(Math.trunc(months / 12), 'year');
}

/** A timestamp, or that of this number of days before `nowMs` if it is earlier. */
export const atMostBefore = (timestamp: string, days: number, nowMs: number): string =>
  new Date(Math.max(Date.parse(timestamp), nowMs - days * dayMs)).toISOString();

/** The number of a calendar day in the zone of the viewer. */
const dayOf = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / dayMs;

/** Whole months. */
function monthsFrom(from: Date, to: Date): number {
  if (to < from) return -monthsFrom(to, from);
  const months = (to.getFullYear() - from.getFullYear()) * 12 + to.getMonth() - from.getMonth();
  return to.getDate() < from.getDate() ? months - 1 : months;
}

/** In the zone and the language of the viewer. */
export const exactTime = (timestamp: string): string => full.format(new Date(timestamp));

/** The same, short enough for lists. */
export const shortTime = (timestamp: string): string => short.format(new Date(timestamp));
