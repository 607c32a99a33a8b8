import type { Page, PageOfItems, policyListFields, PolicyListQuery } from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import type { Policy } from './policy.ts';
import { policyFields } from './policy.store.ts';

type Field = (typeof policyListFields)[number];
export type PolicyFilter = Pick<PolicyListQuery, Field>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  project_id: { sql: 'project_id', type: 'text', isNullable: true },
  role: { sql: 'role', type: 'text', isNullable: true },
  version: { sql: 'version', type: 'int' },
  // The id has the same time.
  created_at: { sql: 'id', type: 'text' },
  updated_at: { sql: 'updated_at', type: 'timestamptz' },
};
const source: ListSource = { from: 'permission_policies', columns: selectList(policyFields), sortable };

export const pagePolicies = (
  scope: DbScope,
  { created_at: createdAt, ...filter }: PolicyFilter,
  page: Page,
): Promise<PageOfItems<Policy>> =>
  fetchPage<Policy>(scope, source, [equals('created_at', createdAt), ...equalFields(source, filter)], page);
