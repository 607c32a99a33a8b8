import {
  keyStatuses,
  type Page,
  type PageOfItems,
  type Scope,
  type TenantTerms,
  type Tier,
  tiers,
} from '@eas/contracts';
import { type Db, type DbScope, equals, fetchPage, type ListSource, type Prisma, selectList } from '@eas/db';
import { termsSql } from '../tenants/terms.ts';
import type { ApiKey } from './api-key.ts';

/** A key that is valid now, and for how much longer; null: it has no end. */
export type UsableKey = ApiKey & { validForMs: number | null; terms: TenantTerms | null };

const usableSql = `
  SELECT k.tenant_id AS "tenantId", k.id, scopes, tier, k.rate_limit AS "rateLimit", agent_id AS "agentId",
    (extract(epoch FROM least(expires_at, CASE WHEN hash <> $1 THEN previous_valid_until END) - app_now()) * 1000)::int8
      AS "validForMs", ${termsSql} AS terms
  FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
  WHERE (hash = $1 OR previous_hash = $1 AND previous_valid_until > app_now())
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > app_now())`;

/** Also by its text before a rotation. The key itself determines the tenant, so none is bound here. */
export async function findUsableKey(db: Db, hash: Buffer): Promise<UsableKey | undefined> {
  const [row] = await db.query<UsableKey>(usableSql, [hash]);
  return row;
}

export const keyFields = {
  id: true,
  name: true,
  prefix: true,
  lastFour: true,
  scopes: true,
  tier: true,
  rateLimit: true,
  agentId: true,
  origin: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
  version: true,
} as const;

type Payload = Prisma.ApiKeyGetPayload<{ select: typeof keyFields }>;

export type KeyRow = Omit<Payload, 'scopes' | 'tier'> & { scopes: Scope[]; tier: Tier };

/** One key, revoked or not. */
export async function findKey({ db, tenantId }: DbScope, id: string): Promise<KeyRow | undefined> {
  const row = await db.prisma.apiKey.findFirst({ where: { tenantId, id }, select: keyFields });
  return (row as KeyRow | null) ?? undefined;
}

/** The rule of `statusOf`, for the filter and the sort. */
const statusSql = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= app_now() THEN 'expired' ELSE 'active' END`;

const source = {
  from: 'api_keys',
  columns: `${selectList(keyFields)}, app_now() AS "readAt"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    name: { sql: 'name', type: 'text' },
    prefix: { sql: 'prefix', type: 'text' },
    last_four: { sql: 'last_four', type: 'text' },
    tier: { sql: 'tier', type: 'text', order: tiers },
    rate_limit: { sql: 'rate_limit', type: 'int', isNullable: true },
    agent_id: { sql: 'agent_id', type: 'text', isNullable: true },
    status: { sql: statusSql, type: 'text', order: keyStatuses },
    created_by: { sql: 'created_by', type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    updated_at: { sql: 'updated_at', type: 'timestamptz' },
    expires_at: { sql: 'expires_at', type: 'timestamptz', isNullable: true },
    last_used_at: { sql: 'last_used_at', type: 'timestamptz', isNullable: true },
  },
} as const satisfies ListSource;

export type KeyFilter = { [F in keyof typeof source.sortable]?: string | number | Date | undefined };

/** `readAt`: the time by which the list was filtered and sorted, so that a row shows the matching status. */
export type ListedKey = KeyRow & { readAt: Date };

export function pageKeys(scope: DbScope, filter: KeyFilter, page: Page): Promise<PageOfItems<ListedKey>> {
  const fields = Object.keys(filter) as (keyof KeyFilter)[];
  const conditions = fields.map((field) => equals(source.sortable[field].sql, filter[field]));
  return fetchPage<ListedKey>(scope, source, conditions, page);
}
