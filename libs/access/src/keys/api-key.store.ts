import type { Scope, Tier } from '@eas/contracts';
import { assertBelowLimit, type Db, type DbScope, type Tx } from '@eas/db';
import { keyColumns, type KeyRow } from './api-key.read-model.ts';

export type NewApiKey = {
  id: string;
  name: string;
  hash: Buffer;
  prefix: string;
  lastFour: string;
  scopes: readonly Scope[];
  tier: Tier;
  rateLimit: number | null;
  agentId: string | null;
  origin: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date | null;
};

const insertSql = `
  INSERT INTO api_keys (tenant_id, id, name, hash, prefix, last_four, scopes, tier, rate_limit, agent_id, origin,
    created_by, created_at, updated_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)
  RETURNING ${keyColumns}`;

/** Adds a key. Breaks api_keys_hash_key when the same text is a key already, and a foreign key on an unknown agent. */
export async function insertApiKey({ db, tenantId }: DbScope, key: NewApiKey): Promise<KeyRow> {
  const [row] = await db.query<KeyRow>(insertSql, [
    tenantId,
    key.id,
    key.name,
    key.hash,
    key.prefix,
    key.lastFour,
    key.scopes,
    key.tier,
    key.rateLimit,
    key.agentId,
    key.origin,
    key.createdBy,
    key.createdAt,
    key.expiresAt,
  ]);
  return row as KeyRow;
}

const lockSql = `SELECT ${keyColumns} FROM api_keys WHERE tenant_id = $1 AND id = $2 FOR UPDATE`;

/** Holds one key, revoked or not, until the transaction ends. */
export async function lockKey({ db, tenantId }: DbScope, id: string): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(lockSql, [tenantId, id]);
  return row;
}

export type KeyChange = Pick<KeyRow, 'name' | 'scopes' | 'tier' | 'rateLimit' | 'expiresAt'>;

const updateSql = `
  UPDATE api_keys SET name = $3, scopes = $4, tier = $5, rate_limit = $6, expires_at = $7,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 RETURNING ${keyColumns}`;

export async function updateKey({ db, tenantId }: DbScope, id: string, change: KeyChange): Promise<KeyRow> {
  const { name, scopes, tier, rateLimit, expiresAt } = change;
  const [row] = await db.query<KeyRow>(updateSql, [tenantId, id, name, scopes, tier, rateLimit, expiresAt]);
  return row as KeyRow;
}

const rotateSql = `
  UPDATE api_keys SET hash = $3, prefix = $4, last_four = $5,
    previous_hash = CASE WHEN $6 > 0 THEN hash END,
    previous_valid_until = CASE WHEN $6 > 0 THEN app_now() + $6 * interval '1 second' END,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 RETURNING ${keyColumns}`;

export type NewText = Pick<NewApiKey, 'hash' | 'prefix' | 'lastFour'>;

/** Gives a key a new text; the one before works on for that long, an older one no more. */
export async function rotateKey(
  { db, tenantId }: DbScope,
  id: string,
  { hash, prefix, lastFour }: NewText,
  overlapSeconds: number,
): Promise<KeyRow> {
  const [row] = await db.query<KeyRow>(rotateSql, [tenantId, id, hash, prefix, lastFour, overlapSeconds]);
  return row as KeyRow;
}

/** Throws conflict `limit` when the tenant has `max` keys that are neither revoked nor expired. */
export function assertBelowKeyLimit(tx: Tx, { max, at }: { max: number; at: Date }): Promise<void> {
  const { db, tenantId } = tx;
  const isUsable = { tenantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
  return assertBelowLimit(tx, 'keys', max, () => db.prisma.apiKey.count({ where: isUsable }));
}

const revokeSql = `
  UPDATE api_keys SET revoked_at = app_now(), updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND (id = $2 OR agent_id = $3) AND revoked_at IS NULL RETURNING id`;

/** Revokes one key, or all keys of an agent. Gives the ids of those that were not revoked before. */
export async function revokeKeys({ db, tenantId }: DbScope, { id, agentId }: { id?: string; agentId?: string }) {
  const rows = await db.query<{ id: string }>(revokeSql, [tenantId, id, agentId]);
  return rows.map((row) => row.id);
}

/** Holds the making of the key from that setting until the transaction ends: several processes boot at once. */
export async function lockOrigin({ db, tenantId }: DbScope, origin: string): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`api_key ${tenantId} ${origin}`]);
}

export type OriginKey = { id: string; hash: Buffer; lastFour: string; isRevoked: boolean };

const findSql = `
  SELECT id, hash, last_four AS "lastFour", revoked_at IS NOT NULL AS "isRevoked" FROM api_keys
  WHERE tenant_id = $1 AND (hash = $2 OR (origin = $3 AND revoked_at IS NULL))
  ORDER BY hash = $2 DESC LIMIT 1`;

/** The key with that hash, revoked or not; else the live one that the setting made. */
export async function findKeyOrOrigin({ db, tenantId }: DbScope, hash: Buffer, origin: string) {
  const [row] = await db.query<OriginKey>(findSql, [tenantId, hash, origin]);
  return row;
}

export type OtherKey = { prefix: string; lastFour: string; createdAt: Date };

const othersSql = `
  SELECT prefix, last_four AS "lastFour", created_at AS "createdAt" FROM api_keys
  WHERE tenant_id = $1 AND origin IS NOT NULL AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 10`;

/** Live keys that settings or data folders made, the newest ten. */
export function findOtherOrigins({ db, tenantId }: DbScope): Promise<OtherKey[]> {
  return db.query<OtherKey>(othersSql, [tenantId]);
}

const replaceSql = `
  UPDATE api_keys SET hash = $3, prefix = $4, last_four = $5, rate_limit = $6, scopes = $7,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND origin IS NOT NULL
    AND (hash, rate_limit, scopes) IS DISTINCT FROM ($3, $6, $7::text[])`;

/** Gives a key that a setting made its new text, limit and scopes. A revoked key, or one that people made, stays. */
export async function replaceKeyText({ db, tenantId }: DbScope, id: string, row: ReplacedKey): Promise<void> {
  const { hash, prefix, lastFour, rateLimit, scopes } = row;
  await db.query(replaceSql, [tenantId, id, hash, prefix, lastFour, rateLimit, scopes]);
}
export type ReplacedKey = Pick<NewApiKey, 'hash' | 'prefix' | 'lastFour' | 'rateLimit' | 'scopes'>;

const touchSql = `
  UPDATE api_keys k SET last_used_at = app_now()
  FROM unnest($1::text[], $2::text[]) AS used (tenant_id, id)
  WHERE k.tenant_id = used.tenant_id AND k.id = used.id`;

/** Notes that keys, of any tenants, were used. They come sorted by id. */
export async function touchApiKeys(db: Db, used: readonly { tenantId: string; id: string }[]): Promise<void> {
  await db.query(touchSql, [used.map(({ tenantId }) => tenantId), used.map(({ id }) => id)]);
}
