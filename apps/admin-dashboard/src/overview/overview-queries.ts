import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { slow } from '../live/gather-stale.ts';
import { recentMs } from './concerns.ts';

const minuteMs = 60_000;

/** Rounded to the minute, so that the query key stays the same for a while. */
const minutesAgo = (ms: number): string => new Date(Math.floor((Date.now() - ms) / minuteMs) * minuteMs).toISOString();

/** How many tasks have each status. */
export const countsQuery = queryOptions({
  queryKey: ['tasks', 'counts'],
  queryFn: ({ signal }) => read(api.GET('/v1/tasks/counts', { signal })),
});

export const openStatuses = ['created', 'open', 'in_progress', 'blocked', 'in_review'] as const;

/** How many agents there are, with this presence or at all. */
export const agentCountQuery = (presence?: 'online') =>
  queryOptions({
    queryKey: ['presence', presence ?? 'any'],
    queryFn: ({ signal }) => {
      const query = { limit: 1, ...(presence && { presence }) };
      return read(api.GET('/v1/agents', { params: { query }, signal }));
    },
  });

/** Tasks that are past their due date and not final, the longest overdue first. */
export const overdueQuery = queryOptions({
  ...slow,
  queryKey: ['tasks', 'overdue'],
  queryFn: ({ signal }) => {
    const query = { is_overdue: 'true' as const, sort: 'due_date' as const, limit: shownOfAKind };
    return read(api.GET('/v1/tasks', { params: { query }, signal }));
  },
});

/** Tasks that failed in the last week, the last ones first. */
export const failedQuery = queryOptions({
  ...slow,
  queryKey: ['tasks', 'failed'],
  queryFn: ({ signal }) => {
    const query = { failed_after: minutesAgo(recentMs), sort: '-failed_at' as const, limit: shownOfAKind };
    return read(api.GET('/v1/tasks', { params: { query }, signal }));
  },
});

/** Those that are not active first. */
export const webhooksQuery = queryOptions({
  ...slow,
  queryKey: ['webhooks', 'health'],
  queryFn: ({ signal }) =>
    read(api.GET('/v1/webhooks', { params: { query: { sort: '-status', limit: 100 } }, signal })),
});

/** Those that are not active first. */
export const integrationsQuery = queryOptions({
  ...slow,
  queryKey: ['integrations', 'health'],
  queryFn: ({ signal }) =>
    read(api.GET('/v1/integrations', { params: { query: { sort: '-status', limit: 100 } }, signal })),
});

export const deadDeliveriesQuery = queryOptions({
  ...slow,
  queryKey: ['deliveries', 'dead'],
  queryFn: ({ signal }) => {
    const query = { created_after: minutesAgo(recentMs) };
    return read(api.GET('/v1/deliveries/dead', { params: { query }, signal }));
  },
});

/** Received webhooks that were not applied. */
export const inboundQuery = (state: 'failed' | 'quarantined') =>
  queryOptions({
    ...slow,
    queryKey: ['inbound', 'not-applied', state],
    queryFn: ({ signal }) =>
      read(
        api.GET('/v1/inbound-events', {
          params: { query: { state, received_after: minutesAgo(recentMs), limit: shownOfAKind } },
          signal,
        }),
      ),
  });

/** Runs that failed in the last week, the last ones first. */
export const failedRunsQuery = queryOptions({
  ...slow,
  queryKey: ['runs', 'failed'],
  queryFn: ({ signal }) => {
    const since = { status: 'failed' as const, finished_after: minutesAgo(recentMs) };
    const query = { ...since, sort: '-finished_at' as const, limit: shownOfAKind };
    return read(api.GET('/v1/runs', { params: { query }, signal }));
  },
});

/** Items of each kind in the list; the number of further ones is shown. */
export const shownOfAKind = 5;
