import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { Budget } from '../resources/usage/usage-words.ts';

export const budgetQuery = (id: string) =>
  queryOptions({
    queryKey: ['budgets', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/v1/budgets/{budget_id}', { params: { path: { budget_id: id } }, signal })),
  });

export const budgetPages: PageSource<Budget> = {
  queryKey: ['budgets', 'list'],
  read: async (after, signal) => {
    const query = { sort: 'id' as const, limit: 100, after };
    return (await read(api.GET('/v1/budgets', { params: { query }, signal }))) as CursorPage<Budget>;
  },
};

/** The whole price table: a few hundred models at most. */
export const pricesQuery = queryOptions({
  queryKey: ['budgets', 'prices'],
  queryFn: ({ signal }) => readVersion(api.GET('/v1/model-prices', { signal })),
});
