import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import type { TaskStatus } from '../work/task-queries.ts';
import { recentMs } from './concerns.ts';

const minuteMs = 60_000;

/** To the minute, so that what was read can be read again under the same name. */
const minutesAgo = (ms: number): string => new Date(Math.floor((Date.now() - ms) / minuteMs) * minuteMs).toISOString();

/** How many tasks have the status, and the newest of them. */
export const countQuery = (status: TaskStatus) =>
  queryOptions({
    queryKey: ['tasks', 'count', status],
    queryFn: ({ signal }) => read(api.GET('/v1/tasks', { params: { query: { status, limit: 1 } }, signal })),
  });

export const openStatuses = ['created', 'open', 'in_progress', 'blocked', 'in_review'] as const;

/** Tasks that are past their due date in this status, the longest overdue first. */
export const overdueQuery = (status: (typeof openStatuses)[number]) =>
  queryOptions({
    queryKey: ['tasks', 'overdue', status],
    queryFn: ({ signal }) => {
      const query = { status, due_before: minutesAgo(0), sort: 'due_date' as const, limit: shownOfAKind };
      return read(api.GET('/v1/tasks', { params: { query }, signal }));
    },
  });

/** Tasks that were created in the last week and have failed, the newest first. */
export const failedQuery = queryOptions({
  queryKey: ['tasks', 'failed'],
  queryFn: ({ signal }) => {
    const query = { status: 'failed' as const, created_after: minutesAgo(recentMs), limit: shownOfAKind };
    return read(api.GET('/v1/tasks', { params: { query }, signal }));
  },
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'health'],
  queryFn: ({ signal }) => read(api.GET('/v1/webhooks', { params: { query: { limit: 100 } }, signal })),
});

export const deadDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'dead', id],
    queryFn: ({ signal }) => {
      const params = {
        path: { webhook_id: id },
        query: { status: 'dead' as const, created_after: minutesAgo(recentMs), limit: 1 },
      };
      return read(api.GET('/v1/webhooks/{webhook_id}/deliveries', { params, signal }));
    },
  });

/** Received webhooks that were not applied. */
export const inboundQuery = (state: 'failed' | 'quarantined') =>
  queryOptions({
    queryKey: ['integrations', 'inbound', state],
    queryFn: ({ signal }) =>
      read(
        api.GET('/v1/inbound-events', {
          params: { query: { state, received_after: minutesAgo(recentMs), limit: shownOfAKind } },
          signal,
        }),
      ),
  });

export const failedRunsQuery = queryOptions({
  queryKey: ['runs', 'failed'],
  queryFn: ({ signal }) => {
    const query = { status: 'failed' as const, sort: '-started_at' as const, limit: shownOfAKind };
    return read(api.GET('/v1/runs', { params: { query }, signal }));
  },
});

/** Items of each kind in the list; how many there are more is said. */
export const shownOfAKind = 5;
