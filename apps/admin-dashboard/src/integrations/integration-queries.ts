import { queryOptions } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { progressEveryMs } from '../work/replay-progress.tsx';
import type { CursorPage, PageSource } from '../work/use-cursor-pages.ts';

const pathOf = (id: string) => ({ path: { integration_id: id } });

export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'list'],
  queryFn: ({ signal }) => read(api.GET('/v1/integrations', { params: { query: { limit: 100 } }, signal })),
});

/** The integration, and the version that a change is made to. */
export const integrationQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', 'one', id],
    queryFn: async ({ signal }) => {
      const call = api.GET('/v1/integrations/{integration_id}', { params: pathOf(id), signal });
      const integration = await read(call);
      return { integration, etag: (await call).response.headers.get('etag') ?? undefined };
    },
  });

export const reconciliationQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', 'reconciliation', id],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/reconciliations/{reconciliation_id}', { params: { path: { reconciliation_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? progressEveryMs : false),
  });

export const chatMessagePages = (id: string): PageSource<Schemas['ChatMessage']> => ({
  queryKey: ['deliveries', 'chat', id],
  whileOpen: { isOpen: ({ state, attempts }) => state === 'pending' && attempts === 0, everyMs: progressEveryMs },
  read: (after, signal) => {
    const params = { ...pathOf(id), query: { limit: 100, after, sort: '-created_at' as const } };
    return read(api.GET('/v1/integrations/{integration_id}/messages', { params, signal })) as Promise<
      CursorPage<Schemas['ChatMessage']>
    >;
  },
});
