import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { TenantListSearch } from './tenant-search.ts';

export type Tenant = Schemas['Tenant'];

export const toneOf = (status: string) => (status === 'active' ? 'good' : 'warn');

export const tenantQuery = (id: string) =>
  queryOptions({
    queryKey: ['tenants', 'one', id],
    queryFn: ({ signal }) =>
      readVersion(api.GET('/admin/api/tenants/{tenant_id}', { params: { path: { tenant_id: id } }, signal })),
  });

export const tenantPages = ({ new: _new, ...filters }: TenantListSearch): PageSource<Tenant> => ({
  queryKey: ['tenants', 'list', filters],
  read: async (after, signal) => {
    const query = { ...filters, limit: 100, after };
    return (await read(api.GET('/admin/api/tenants', { params: { query }, signal }))) as CursorPage<Tenant>;
  },
});
