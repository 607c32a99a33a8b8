import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../api/client.ts';
import { progressEveryMs } from '../resources/replay/replay-progress.tsx';
import type { PageSource } from '../resources/use-cursor-pages.ts';
import type { InboundFilters } from './inbound-search.ts';
import type { InboundEvent } from './inbound-words.ts';

const isWaiting = ({ state }: Pick<InboundEvent, 'state'>): boolean => state === 'received';

export const inboundPages = (filters: InboundFilters): PageSource<InboundEvent> => ({
  queryKey: ['inbound', 'list', filters],
  whileOpen: { isOpen: isWaiting, everyMs: progressEveryMs },
  read: (after, signal) => {
    const query = { ...filters, limit: 100, ...(after === '' ? {} : { after }) };
    return read(api.GET('/v1/inbound-events', { params: { query }, signal }));
  },
});

export const inboundEventQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/inbound-events/{inbound_event_id}', { params: { path: { inbound_event_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? progressEveryMs : false),
  });

export const inboundReplayQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbound', 'replay', id],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/inbound-replays/{inbound_replay_id}', { params: { path: { inbound_replay_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? progressEveryMs : false),
  });
