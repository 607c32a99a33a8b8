import type { Scope } from '@eas/contracts';
import type { DbScope } from '@eas/db';

const isGrantedSql = `
  SELECT 1 AS found FROM oauth_records
  WHERE tenant_id = $1 AND client_id = $2 AND user_id = $3 AND kind = 'grant' AND scopes @> $4::text[]
    AND expires_at > app_now()
  LIMIT 1`;

export async function isGranted(
  { db, tenantId }: DbScope,
  { clientId, userId, scopes }: { clientId: string; userId: string; scopes: readonly Scope[] },
): Promise<boolean> {
  const rows = await db.query(isGrantedSql, [tenantId, clientId, userId, scopes]);
  return rows.length > 0;
}
