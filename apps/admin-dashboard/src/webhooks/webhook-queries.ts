import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas } from '../api/client.ts';
import { progressEveryMs } from '../resources/replay/replay-progress.tsx';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import { shownTotalOf } from '../shell/waiting.ts';
import type { DeliverySearch } from './webhook-search.ts';
import type { Delivery, DeliveryStatus, Webhook } from './webhook-words.ts';

const pathOf = (id: string) => ({ path: { webhook_id: id } });

export const webhookPages: PageSource<Webhook> = {
  queryKey: ['webhooks', 'list'],
  read: (after, signal) =>
    read(api.GET('/v1/webhooks', { params: { query: { limit: 100, after, sort: '-created_at' } }, signal })) as Promise<
      CursorPage<Webhook>
    >,
};

/** The webhook, and the version that a change is based on. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => readVersion(api.GET('/v1/webhooks/{webhook_id}', { params: pathOf(id), signal })),
  });

const isDue = ({ status, next_attempt_at: at }: Delivery): boolean =>
  status === 'pending' && (at === null || Date.parse(at) < Date.now() + 2_000);

export const deliveryPages = (webhookId: string, search: DeliverySearch): PageSource<Delivery> => ({
  queryKey: ['deliveries', 'of', webhookId, search],
  whileOpen: { isOpen: isDue, everyMs: progressEveryMs },
  read: (after, signal) => {
    const params = { ...pathOf(webhookId), query: { ...search, limit: 100, after } };
    return read(api.GET('/v1/webhooks/{webhook_id}/deliveries', { params, signal })) as Promise<CursorPage<Delivery>>;
  },
});

/** How many deliveries a webhook has with a status. */
export const deliveryCountQuery = (webhookId: string, status: DeliveryStatus) =>
  queryOptions({
    queryKey: ['deliveries', 'count', webhookId, status],
    queryFn: async ({ signal }) => {
      const params = { ...pathOf(webhookId), query: { status, limit: 1, after: '' } };
      const page = (await read(
        api.GET('/v1/webhooks/{webhook_id}/deliveries', { params, signal }),
      )) as Schemas['DeliveryCursorPage'];
      return shownTotalOf(page);
    },
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/v1/deliveries/{delivery_id}', { params: { path: { delivery_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && isDue(state.data) ? progressEveryMs : false),
  });

/** The newest replays; read again while one is running. */
export const replaysQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'replays', webhookId],
    queryFn: ({ signal }) => {
      const params = { ...pathOf(webhookId), query: { limit: 5, sort: '-created_at' as const } };
      return read(api.GET('/v1/webhooks/{webhook_id}/replays', { params, signal }));
    },
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'running') ? progressEveryMs : false,
  });
