import { keyStatuses, type KeyStatus, type Page, type PageOfItems, type Scope, type Tier, tiers } from '@eas/contracts';
import { type Db, type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import type { ApiKey } from './api-key.ts';

/** A key that opens doors now, and how much longer it does; null: no end is set. */
export type UsableKey = ApiKey & { validForMs: number | null };

const usableSql = `
  SELECT tenant_id AS "tenantId", id, scopes, tier, rate_limit AS "rateLimit", agent_id AS "agentId",
    (extract(epoch FROM least(expires_at, CASE WHEN hash <> $1 THEN previous_valid_until END) - app_now()) * 1000)::int8
      AS "validForMs"
  FROM api_keys
  WHERE (hash = $1 OR previous_hash = $1 AND previous_valid_until > app_now())
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > app_now())`;

/** Also by its text of before a rotation. The key itself says which tenant it belongs to, so none is bound here. */
export async function findUsableKey(db: Db, hash: Buffer): Promise<UsableKey | undefined> {
  const [row] = await db.query<UsableKey>(usableSql, [hash]);
  return row;
}

export type KeyRow = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  tier: Tier;
  rateLimit: number | null;
  agentId: string | null;
  origin: string | null;
  status: KeyStatus;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  version: number;
};

const statusSql = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= app_now() THEN 'expired' ELSE 'active' END`;

export const keyColumns = `
  id, name, prefix, last_four AS "lastFour", scopes, tier, rate_limit AS "rateLimit", agent_id AS "agentId", origin,
  ${statusSql} AS status, created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt",
  expires_at AS "expiresAt", last_used_at AS "lastUsedAt", version`;

const oneSql = `SELECT ${keyColumns} FROM api_keys WHERE tenant_id = $1 AND id = $2`;

/** One key, revoked or not. */
export async function findKey({ db, tenantId }: DbScope, id: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(oneSql, [tenantId, id]);
  return row;
}

const source = {
  from: 'api_keys',
  columns: keyColumns,
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

export function pageKeys(scope: DbScope, filter: KeyFilter, page: Page): Promise<PageOfItems<KeyRow>> {
  const fields = Object.keys(filter) as (keyof KeyFilter)[];
  const conditions = fields.map((field) => equals(source.sortable[field].sql, filter[field]));
  return fetchPage<KeyRow>(scope, source, conditions, page);
}
