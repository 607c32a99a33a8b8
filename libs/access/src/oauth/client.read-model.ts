import { type ClientListQuery, type Page, type PageOfItems, type Scope, type Tier, tiers } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, type Prisma, selectList } from '@eas/db';
import type { OauthClient } from './client.ts';

export const clientFields = {
  id: true,
  name: true,
  redirectUris: true,
  scopes: true,
  tier: true,
  rateLimit: true,
  secret: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  version: true,
} as const;

type ClientRow = Prisma.OauthClientGetPayload<{ select: typeof clientFields }>;

export const clientOf = ({ secret, scopes, tier, ...row }: ClientRow): OauthClient => ({
  ...row,
  scopes: scopes as Scope[],
  tier: tier as Tier,
  isPublic: secret === null,
});

/** One client that was not deleted. */
export async function findClient({ db, tenantId }: DbScope, id: string): Promise<OauthClient | undefined> {
  const row = await db.prisma.oauthClient.findFirst({ where: { tenantId, id, deletedAt: null }, select: clientFields });
  return row ? clientOf(row) : undefined;
}

const source = {
  from: 'oauth_clients',
  columns: selectList(clientFields),
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

export async function listClientPage(
  scope: DbScope,
  filter: ClientFilter,
  page: Page<ClientSortField>,
): Promise<PageOfItems<OauthClient>> {
  const conditions = Object.entries(filter).map(([field, value]) => equals(sqlOf[field as keyof ClientFilter], value));
  const { items, ...rest } = await fetchPage<ClientRow>(scope, source, conditions, page);
  return { ...rest, items: items.map(clientOf) };
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
