import type { Db } from '@eas/db';
import type { OauthClient } from './client.ts';
import type { OauthRecord, RecordKind } from './record.ts';

/** What the protocol needs of a client; `secret` is sealed. */
export type ProtocolClient = Pick<OauthClient, 'id' | 'name' | 'redirectUris' | 'scopes'> & {
  tenantId: string;
  secret: string | null;
  hasRegisteredItself: boolean;
};

const findByIdSql = `
  SELECT tenant_id AS "tenantId", id, name, redirect_uris AS "redirectUris", scopes, secret,
    registered_at IS NOT NULL AS "hasRegisteredItself"
  FROM oauth_clients WHERE id = $1 AND deleted_at IS NULL`;

/** The client of that id. It is looked up before the tenant is known: the client determines it. */
export async function findProtocolClient(db: Db, id: string): Promise<ProtocolClient | undefined> {
  const [row] = await db.query<ProtocolClient>(findByIdSql, [id]);
  return row;
}

const findRecordSql = `
  SELECT r.tenant_id AS "tenantId", r.client_id AS "clientId", r.user_id AS "userId", r.payload,
    ARRAY(SELECT unnest(r.scopes) INTERSECT SELECT unnest(c.scopes) INTERSECT SELECT unnest(u.scopes) ORDER BY 1)
      AS scopes,
    r.expires_at AS "expiresAt", r.consumed_at AS "consumedAt"
  FROM oauth_records r
  JOIN oauth_clients c ON c.tenant_id = r.tenant_id AND c.id = r.client_id AND c.deleted_at IS NULL
  LEFT JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id AND u.deleted_at IS NULL
  WHERE r.hash = $1 AND r.kind = $2 AND r.expires_at > app_now() AND (r.user_id IS NULL OR u.id IS NOT NULL)`;

/**
 * The record with that hash, unless it has expired or its client or person is gone. The request contains no tenant: the
 * record determines it.
 */
export async function findRecord(db: Db, kind: RecordKind, hash: Buffer): Promise<OauthRecord | undefined> {
  const [row] = await db.query<OauthRecord>(findRecordSql, [hash, kind]);
  return row;
}
