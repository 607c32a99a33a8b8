import type { TenantTerms } from '@eas/contracts';
import type { Db, DbScope } from '@eas/db';
import { termsSql } from '../tenants/terms.ts';
import { idleHours, type UsableSession } from './session.ts';

const endSql = `least(s.expires_at, s.last_seen_at + interval '${idleHours} hours')`;

const findSql = `
  SELECT s.tenant_id AS "tenantId", s.id, s.user_id AS "userId", u.scopes,
    (extract(epoch FROM ${endSql} - app_now()) * 1000)::int8 AS "validForMs", ${termsSql} AS terms
  FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id JOIN tenants t ON t.id = s.tenant_id
  WHERE s.token_hash = $1 AND ${endSql} > app_now() AND u.deleted_at IS NULL`;

type FoundSession = UsableSession & { validForMs: number; terms: TenantTerms | null };

/** The session of that token. The token determines the tenant, so none is bound here. */
export async function findUsableSession(db: Db, hash: Buffer): Promise<FoundSession | undefined> {
  const [row] = await db.query<FoundSession>(findSql, [hash]);
  return row;
}

/** When a session ends at the latest; undefined when it has been ended. */
export async function findSessionEnd({ db, tenantId }: DbScope, id: string): Promise<Date | undefined> {
  const row = await db.prisma.session.findFirst({ where: { tenantId, id }, select: { expiresAt: true } });
  return row?.expiresAt;
}
