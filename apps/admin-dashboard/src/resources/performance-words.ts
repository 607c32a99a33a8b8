import type { Schemas } from '../api/client.ts';

export type Performance = Schemas['PerformanceMetrics'];
export type Period = Schemas['PerformancePeriod'];

export const periodLabels: Readonly<Record<Period, string>> = {
  day: 'Today',
  week: 'This week',
  month: 'This month',
  quarter: 'This quarter',
  year: 'This year',
};
export const periods = Object.keys(periodLabels) as Period[];

export const throughputSeries = [
  { name: 'Completed', tone: 'good' },
  { name: 'In progress', tone: 'accent' },
  { name: 'Other', tone: 'none' },
] as const;

/** Completed, in progress, and the rest of what was created. */
export const throughputOf = ({ tasks: { total, completed, in_progress: held } }: Performance): readonly number[] => [
  completed,
  held,
  Math.max(0, total - completed - held),
];

/** To two decimals; null where nothing is known. */
export const hoursOf = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 36) / 100;
