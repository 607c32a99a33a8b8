import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../../api/client.ts';

/** `from`: at most 400 days ago. `key`: a single group. */
type UsageRange = { groupBy: 'task' | 'role' | 'model'; from: string; key?: string };

/** What agents used models for, by group. */
export const usageQuery = ({ groupBy, from, key }: UsageRange) =>
  queryOptions({
    queryKey: ['analytics', 'usage', groupBy, from, key ?? ''],
    queryFn: ({ signal }) =>
      read(
        api.GET('/v1/analytics/usage', { params: { query: { group_by: groupBy, from, ...(key && { key }) } }, signal }),
      ),
  });

/** The newest budgets, with what is used up of them. */
export const budgetsQuery = queryOptions({
  queryKey: ['budgets', 'newest'],
  queryFn: ({ signal }) => read(api.GET('/v1/budgets', { params: { query: { limit: 100 } }, signal })),
});
