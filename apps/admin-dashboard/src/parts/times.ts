const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** "5 min. ago", "in 2 days"; "now" below a minute. */
export function relativeTime(timestamp: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(timestamp) - nowMs) / 1_000);
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'now';
}

/** In the zone and the language of the viewer. */
export const exactTime = (timestamp: string): string => exact.format(new Date(timestamp));
