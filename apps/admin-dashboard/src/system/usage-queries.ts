import { api, read, type Schemas } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';
import type { UsageSearch, UsageSort } from './usage-search.ts';

export type TenantUsage = Schemas['TenantUsage'];

/** The current month in UTC, as `2026-11`. */
export const currentMonth = (): string => new Date().toISOString().slice(0, 7);

/** One tenant in all months, or all tenants in one month. */
const filterOf = ({ month, tenant }: UsageSearch): { month: string } | { tenant_id: string } =>
  tenant === undefined ? { month: month ?? currentMonth() } : { tenant_id: tenant };

/** The latest month first, or in the order that is chosen. Without events: read when the page is opened, and on request. */
export const usagePages = (search: UsageSearch): PageSource<TenantUsage> => {
  const sort: UsageSort | '-month' = search.tenant === undefined ? (search.sort ?? '-events') : '-month';
  const query = { ...filterOf(search), sort, limit: 100 };
  return {
    queryKey: ['system', 'usage', query],
    async read(after, signal) {
      const params = { query: { ...query, after } };
      return (await read(api.GET('/admin/api/usage', { params, signal }))) as CursorPage<TenantUsage>;
    },
  };
};

/** The query of the same rows as CSV. */
export const exportQuery = (search: UsageSearch): string => new URLSearchParams(filterOf(search)).toString();
