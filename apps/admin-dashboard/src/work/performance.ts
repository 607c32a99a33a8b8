import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import type { Period } from './performance-words.ts';

/** The tasks that were created in the current period, in UTC, by how they stand. */
export const performanceQuery = (period: Period, role?: string) =>
  queryOptions({
    queryKey: ['analytics', period, role ?? ''],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/analytics/performance', { params: { query: { period, ...(role && { role }) } }, signal })),
  });
