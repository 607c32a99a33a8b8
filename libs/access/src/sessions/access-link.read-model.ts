import type { Db } from '@eas/db';

export type UsableLink = {
  tenantId: string;
  id: string;
  purpose: 'first_admin' | 'set_password';
  userId: string | null;
  email: string | null;
  name: string | null;
};

const findSql = `
  SELECT l.tenant_id AS "tenantId", l.id, l.purpose, l.user_id AS "userId", u.email, u.name
  FROM access_links l LEFT JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id
  WHERE l.token_hash = $1 AND l.expires_at > app_now() AND u.deleted_at IS NULL`;

/** The unused link of that token. The token determines the tenant, so none is bound here. */
export async function findUsableLink(db: Db, hash: Buffer): Promise<UsableLink | undefined> {
  const [row] = await db.query<UsableLink>(findSql, [hash]);
  return row;
}
