import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';

/** Questions and work in review that wait for a person: what the badge counts. */
export const waitingInputs = queryOptions({
  queryKey: ['inputs', 'waiting'],
  queryFn: ({ signal }) =>
    read(api.GET('/v1/inputs', { params: { query: { status: 'pending', sort: 'created_at', limit: 100 } }, signal })),
});

export const waitingReviews = queryOptions({
  queryKey: ['reviews', 'waiting'],
  queryFn: ({ signal }) =>
    read(
      api.GET('/v1/tasks', { params: { query: { review_by: 'person', sort: 'review_since', limit: 100 } }, signal }),
    ),
});

type Page = { metadata: { total: number } } | { pagination: { total_count: number } };

/** Of all pages, not of the one that was read. */
export function totalOf(page: Page | undefined): number {
  if (!page) return 0;
  return 'metadata' in page ? page.metadata.total : page.pagination.total_count;
}
