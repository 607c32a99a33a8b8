import type { DbScope } from '@eas/db';
import { linkHours } from './access-link.ts';

const insertSql = `
  INSERT INTO access_links (tenant_id, id, purpose, user_id, token_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, app_now() + interval '${linkHours} hours')`;

export type NewLink = {
  id: string;
  purpose: 'first_admin' | 'set_password';
  userId: string | null;
  tokenHash: Buffer;
};

export async function insertLink({ db, tenantId }: DbScope, link: NewLink): Promise<void> {
  await db.query(insertSql, [tenantId, link.id, link.purpose, link.userId, link.tokenHash]);
}

const takeSql = `
  DELETE FROM access_links WHERE tenant_id = $1 AND id = $2 AND expires_at > app_now() RETURNING id`;

/** Uses a link up. False: it was used up or expired before. */
export async function takeLink({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  return (await db.query(takeSql, [tenantId, id])).length > 0;
}

/** Takes back the links to make a first admin that nobody used. */
export async function deleteFirstAdminLinks({ db, tenantId }: DbScope): Promise<void> {
  await db.query(`DELETE FROM access_links WHERE tenant_id = $1 AND purpose = 'first_admin'`, [tenantId]);
}

export async function deleteLinksOf({ db, tenantId }: DbScope, userId: string): Promise<void> {
  await db.query('DELETE FROM access_links WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
}
