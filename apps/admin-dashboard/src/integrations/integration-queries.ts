import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas } from '../api/client.ts';
import type { Integration } from '../resources/integrations/integration-names.ts';
import { progressEveryMs } from '../resources/replay/replay-progress.tsx';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';

const pathOf = (id: string) => ({ path: { integration_id: id } });
const limit = 100;

/** The API has offsets here; the cursor is one. */
export const integrationPages: PageSource<Integration> = {
  queryKey: ['integrations', 'list'],
  read: async (after, signal) => {
    const offset = Number(after);
    const query = { limit, offset, sort: '-connected_at' as const };
    const { data } = await read(api.GET('/v1/integrations', { params: { query }, signal }));
    return { data, pagination: { next_cursor: data.length < limit ? null : String(offset + limit) } };
  },
};

export const integrationQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', 'one', id],
    queryFn: ({ signal }) => readVersion(api.GET('/v1/integrations/{integration_id}', { params: pathOf(id), signal })),
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
    const params = { ...pathOf(id), query: { limit, after, sort: '-created_at' as const } };
    return read(api.GET('/v1/integrations/{integration_id}/messages', { params, signal })) as Promise<
      CursorPage<Schemas['ChatMessage']>
    >;
  },
});
