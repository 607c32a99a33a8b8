import { type ClientListQuery, type Page, type PageOfItems, tiers } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import type { OauthClient } from './client.ts';

export const clientColumns = `
  id, name, redirect_uris AS "redirectUris", scopes, tier, rate_limit AS "rateLimit", secret IS NULL AS "isPublic",
  created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt", version`;

const findSql = `SELECT ${clientColumns} FROM oauth_clients WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** One client that was not deleted. */
export async function findClient({ db, tenantId }: DbScope, id: string): Promise<OauthClient | undefined> {
  const [row] = await db.query<OauthClient>(findSql, [tenantId, id]);
  return row;
}

const source = {
  from: 'oauth_clients',
  columns: clientColumns,
  visible: 'deleted_at IS NULL',
  sortable: {
    id: { sql: 'id', type: 'text' },
    name: { sql: 'name', type: 'text' },
    tier: { sql: 'tier', type: 'text', order: tiers },
    rate_limit: { sql: 'rate_limit', type: 'int', isNullable: true },
    is_public: { sql: '(secret IS NULL)::int', type: 'int' },
    created_by: { sql: 'created_by', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
  },
} as const satisfies ListSource;
export type ClientSortField = keyof (typeof source)['sortable'];
export type ClientFilter = Pick<
  ClientListQuery,
  'id' | 'name' | 'tier' | 'rate_limit' | 'is_public' | 'created_by' | 'created_at' | 'updated_at'
>;

export function listClientPage(
  scope: DbScope,
  filter: ClientFilter,
  page: Page<ClientSortField>,
): Promise<PageOfItems<OauthClient>> {
  const conditions = Object.entries(filter).map(([field, value]) => equals(sqlOf[field as keyof ClientFilter], value));
  return fetchPage<OauthClient>(scope, source, conditions, page);
}

const sqlOf: Record<keyof ClientFilter, string> = {
  id: 'id',
  name: 'name',
  tier: 'tier',
  rate_limit: 'rate_limit',
  is_public: '(secret IS NULL)',
  created_by: 'created_by',
  created_at: 'created_at',
  updated_at: 'updated_at',
};
