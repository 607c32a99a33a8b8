import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { Policy } from './policy-values.ts';

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ['policies', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/v1/policies/{policy_id}', { params: { path: { policy_id: id } }, signal })),
  });

export const policyPages: PageSource<Policy> = {
  queryKey: ['policies', 'list'],
  read: async (after, signal) => {
    const query = { sort: 'id' as const, limit: 100, after };
    return (await read(api.GET('/v1/policies', { params: { query }, signal }))) as CursorPage<Policy>;
  },
};
