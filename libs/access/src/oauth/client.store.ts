import type { Scope, Tier } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { OauthClient } from './client.ts';
import { clientColumns } from './client.read-model.ts';

export type NewClient = {
  id: string;
  name: string;
  /** Sealed; null: a public client. */
  secret: string | null;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  tier: Tier;
  rateLimit: number | null;
  origin: string | null;
  createdBy: string;
};

const insertSql = `
  INSERT INTO oauth_clients
    (tenant_id, id, name, secret, redirect_uris, scopes, tier, rate_limit, origin, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO NOTHING
  RETURNING ${clientColumns}`;

/** Adds a client. Undefined: one of that id is or was there, in whichever tenant. */
export async function insertClient({ db, tenantId }: DbScope, client: NewClient): Promise<OauthClient | undefined> {
  const { id, name, secret, redirectUris, scopes, tier, rateLimit, origin, createdBy } = client;
  const values = [tenantId, id, name, secret, redirectUris, scopes, tier, rateLimit, origin, createdBy];
  const [row] = await db.query<OauthClient>(insertSql, values);
  return row;
}

const lockSql = `
  SELECT ${clientColumns} FROM oauth_clients WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

export async function lockClient({ db, tenantId }: DbScope, id: string): Promise<OauthClient | undefined> {
  const [row] = await db.query<OauthClient>(lockSql, [tenantId, id]);
  return row;
}

const updateSql = `
  UPDATE oauth_clients
  SET name = $3, redirect_uris = $4, scopes = $5, tier = $6, rate_limit = $7,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2
  RETURNING ${clientColumns}`;

/** Writes a locked client back. */
export async function updateClient({ db, tenantId }: DbScope, client: OauthClient): Promise<OauthClient> {
  const { id, name, redirectUris, scopes, tier, rateLimit } = client;
  const [row] = await db.query<OauthClient>(updateSql, [tenantId, id, name, redirectUris, scopes, tier, rateLimit]);
  if (!row) throw new Error('a locked client is gone');
  return row;
}

const secretSql = `
  UPDATE oauth_clients SET secret = $3, updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2
  RETURNING ${clientColumns}`;

/** Gives a locked client a new sealed secret. */
export async function replaceSecret({ db, tenantId }: DbScope, id: string, secret: string): Promise<OauthClient> {
  const [row] = await db.query<OauthClient>(secretSql, [tenantId, id, secret]);
  if (!row) throw new Error('a locked client is gone');
  return row;
}

const deleteSql = `
  UPDATE oauth_clients SET deleted_at = app_now(), updated_at = app_now(), version = version + 1, secret = NULL
  WHERE tenant_id = $1 AND id = $2`;

/** Keeps a locked client as a deleted row without its secret. */
export async function markDeleted({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(deleteSql, [tenantId, id]);
}

/** Holds the making of the client from that setting until the transaction ends: several processes boot at once. */
export async function lockClientOrigin({ db, tenantId }: DbScope, origin: string): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`oauth_client ${tenantId} ${origin}`]);
}

export type OriginClient = { id: string; origin: string | null; isDeleted: boolean };

const findOriginSql = `
  SELECT id, origin, deleted_at IS NOT NULL AS "isDeleted" FROM oauth_clients
  WHERE tenant_id = $1 AND (id = $2 OR (origin = $3 AND deleted_at IS NULL))
  ORDER BY id = $2 DESC LIMIT 1`;

/** The client of that id, deleted or not; else the live one that the setting made. */
export async function findIdOrOrigin(
  { db, tenantId }: DbScope,
  id: string,
  origin: string,
): Promise<OriginClient | undefined> {
  const [row] = await db.query<OriginClient>(findOriginSql, [tenantId, id, origin]);
  return row;
}

const replaceSql = `
  UPDATE oauth_clients SET id = $3, secret = $4, redirect_uris = $5, updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND origin IS NOT NULL AND deleted_at IS NULL`;

/** Gives a client that a setting made what the setting says now. Breaks oauth_clients_id_key when the id is taken. */
export async function replaceOriginClient(
  { db, tenantId }: DbScope,
  id: string,
  { id: newId, secret, redirectUris }: Pick<NewClient, 'id' | 'secret' | 'redirectUris'>,
): Promise<void> {
  await db.query(replaceSql, [tenantId, id, newId, secret, redirectUris]);
}
