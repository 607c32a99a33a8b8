import { definedOf } from '../parts/defined.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';

export const tenantStatuses = ['active', 'suspended', 'deleting'] as const;

/** What the address of the list contains. */
export type TenantListSearch = { new?: true; status?: (typeof tenantStatuses)[number]; plan?: string };

export function readTenantListSearch(search: Record<string, unknown>): TenantListSearch {
  const { status, plan } = readTexts(search, ['status', 'plan']);
  const isNew = search['new'] === true ? { new: true } : {};
  return definedOf({ ...isNew, status: oneOf(tenantStatuses, status), plan }) as TenantListSearch;
}
