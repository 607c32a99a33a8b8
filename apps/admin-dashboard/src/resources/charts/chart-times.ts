export type TimeUnit = 'hour' | 'day';

const formats: Readonly<Record<TimeUnit, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', month: 'short', day: 'numeric' }),
  hour: new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
};

/** An hour or day in UTC, as the viewer writes it: intervals of the API are in UTC. */
export const momentWords = (at: Date, unit: TimeUnit): string => formats[unit].format(at);
