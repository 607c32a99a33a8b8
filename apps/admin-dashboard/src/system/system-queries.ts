import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import type { PageSource } from '../resources/use-cursor-pages.ts';

export type SystemState = Schemas['SystemState'];
export type DeadEvent = Schemas['DeadEvent'];

/** Without events: read when the page is opened, and on request. */
export const systemQuery = queryOptions({
  queryKey: ['system', 'state'],
  staleTime: 0,
  queryFn: ({ signal }) => read(api.GET('/admin/api/system', { signal })),
});

export const deadEventPages: PageSource<DeadEvent> = {
  queryKey: ['system', 'dead'],
  read: (after, signal) =>
    read(api.GET('/admin/api/system/dead-events', { params: { query: { limit: 100, after } }, signal })),
};

/** Without events; the oldest ones first. */
export const retryDead = (events?: readonly DeadEvent[]) => {
  const keys = events?.map(({ tenant_id, event_id, consumer }) => ({ tenant_id, event_id, consumer }));
  return read(api.POST('/admin/api/system/dead-events/retry', { body: keys ? { events: keys } : {} }));
};
