import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import type { Period } from './performance-words.ts';

/** The tasks that were created in the current period (UTC), by status. */
export const performanceQuery = (period: Period, role?: string) =>
  queryOptions({
    queryKey: ['analytics', period, role ?? ''],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/analytics/performance', { params: { query: { period, ...(role && { role }) } }, signal })),
  });

/** How long tasks took that were completed since a day (UTC, YYYY-MM-DD), by role. */
export const durationsQuery = (from: string, role?: string) =>
  queryOptions({
    queryKey: ['analytics', 'durations', from, role ?? ''],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/analytics/durations', { params: { query: { from, ...(role && { key: role }) } }, signal })),
  });

export type SeriesRange = { interval: 'hour' | 'day'; from?: string; role?: string };

/** What happened to tasks in each hour or day (UTC); without `from`, the last 30. */
export const seriesQuery = ({ interval, from, role }: SeriesRange) =>
  queryOptions({
    queryKey: ['analytics', 'series', interval, from ?? '', role ?? ''],
    queryFn: ({ signal }) =>
      read(
        api.GET('/v1/analytics/series', {
          params: { query: { interval, ...(from && { from }), ...(role && { role }) } },
          signal,
        }),
      ),
  });
