import type { Scope, TenantTerms, Tier } from '@eas/contracts';
import type { Db } from '@eas/db';
import { termsSql } from '../tenants/terms.ts';

/** An access token for authentication. Its scopes are those in all three lists. */
export type UsableToken = {
  tenantId: string;
  userId: string;
  clientId: string;
  scopes: Scope[];
  userScopes: Scope[];
  clientScopes: Scope[];
  tier: Tier;
  rateLimit: number | null;
  /** Its remaining lifetime, by the database's clock. */
  validForMs: number;
  terms: TenantTerms | null;
};

const findSql = `
  SELECT r.tenant_id AS "tenantId", r.user_id AS "userId", r.client_id AS "clientId", r.scopes,
    u.scopes AS "userScopes", c.scopes AS "clientScopes", c.tier, c.rate_limit AS "rateLimit",
    (extract(epoch FROM r.expires_at - app_now()) * 1000)::int AS "validForMs", ${termsSql} AS terms
  FROM oauth_records r JOIN tenants t ON t.id = r.tenant_id
  JOIN oauth_clients c ON c.tenant_id = r.tenant_id AND c.id = r.client_id AND c.deleted_at IS NULL
  JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id AND u.deleted_at IS NULL
  WHERE r.hash = $1 AND r.kind = 'access_token' AND r.expires_at > app_now()`;

/** The usable access token with that hash. The token determines the tenant, so none is bound here. */
export async function findUsableToken(db: Db, hash: Buffer): Promise<UsableToken | undefined> {
  const [row] = await db.query<UsableToken>(findSql, [hash]);
  return row;
}
