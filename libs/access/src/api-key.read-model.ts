import type { Db } from '@eas/db';
import type { ApiKey } from './api-key.ts';

const findSql = `
  SELECT tenant_id AS "tenantId", id, scopes, tier, rate_limit AS "rateLimit", agent_id AS "agentId"
  FROM api_keys
  WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > app_now())`;

/** The usable key with that hash. The key itself says which tenant it belongs to, so none is bound here. */
export async function findUsableKey(db: Db, hash: Buffer): Promise<ApiKey | undefined> {
  const [row] = await db.query<ApiKey>(findSql, [hash]);
  return row;
}
