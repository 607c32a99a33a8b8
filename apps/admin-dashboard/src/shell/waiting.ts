import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { useHeldCalls } from '../api/held-calls.ts';
import { withoutHeld } from './without-held.ts';

const waitingInputs = queryOptions({
  queryKey: ['inputs', 'waiting'],
  queryFn: ({ signal }) =>
    read(api.GET('/v1/inputs', { params: { query: { status: 'pending', sort: 'created_at', limit: 100 } }, signal })),
});

const waitingReviews = queryOptions({
  queryKey: ['reviews', 'waiting'],
  queryFn: ({ signal }) =>
    read(
      api.GET('/v1/tasks', { params: { query: { review_by: 'person', sort: 'review_since', limit: 100 } }, signal }),
    ),
});

/** Questions and work in review that wait for a person; decisions that can still be undone do not count. */
export function useWaiting(enabled = true) {
  const held = useHeldCalls().map(({ id }) => id);
  return {
    inputs: useQuery({ ...waitingInputs, enabled, select: (page) => withoutHeld(page, held) }),
    reviews: useQuery({ ...waitingReviews, enabled, select: (page) => withoutHeld(page, held) }),
  };
}

type Relation = { total_relation?: 'gte' };
type Page = { metadata: Relation & { total: number } } | { pagination: Relation & { total_count: number } };

/** Of all pages, not of the one that was read. */
export function totalOf(page: Page | undefined): number {
  if (!page) return 0;
  return 'metadata' in page ? page.metadata.total : page.pagination.total_count;
}

/** Whether there are more than `totalOf` returns: the API counts up to a limit. */
export function isTotalCut(page: Page | undefined): boolean {
  return (page && ('metadata' in page ? page.metadata : page.pagination))?.total_relation === 'gte';
}

/** The total in words: `12`, or `10000+`. */
export const shownTotalOf = (page: Page | undefined): string => `${totalOf(page)}${isTotalCut(page) ? '+' : ''}`;
