import type { Scope, Tier } from '@eas/contracts';
import type { Db, DbScope } from '@eas/db';

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
  createdAt: Date;
  expiresAt: Date | null;
};

/** Adds a key. Breaks api_keys_hash_key when the same text is a key already. */
export async function insertApiKey({ db, tenantId }: DbScope, { scopes, ...row }: NewApiKey): Promise<void> {
  const hash = Uint8Array.from(row.hash);
  await db.prisma.apiKey.create({ data: { ...row, hash, tenantId, scopes: [...scopes] } });
}

/** Holds the making of the key from that setting until the transaction ends: several processes boot at once. */
export async function lockOrigin({ db, tenantId }: DbScope, origin: string): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`api_key ${tenantId} ${origin}`]);
}

export type OriginKey = { id: string; hash: Buffer; isRevoked: boolean };

const findSql = `
  SELECT id, hash, revoked_at IS NOT NULL AS "isRevoked" FROM api_keys
  WHERE tenant_id = $1 AND (hash = $2 OR (origin = $3 AND revoked_at IS NULL))
  ORDER BY hash = $2 DESC LIMIT 1`;

/** The key with that hash, revoked or not; else the live one that the setting made. */
export async function findKeyOrOrigin({ db, tenantId }: DbScope, hash: Buffer, origin: string) {
  const [row] = await db.query<OriginKey>(findSql, [tenantId, hash, origin]);
  return row;
}

const replaceSql = `
  UPDATE api_keys SET hash = $3, prefix = $4, last_four = $5, rate_limit = $6, scopes = $7
  WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND origin IS NOT NULL`;

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

/** Notes that keys, of any tenants, were used. */
export async function touchApiKeys(db: Db, used: readonly { tenantId: string; id: string }[]): Promise<void> {
  // In one order everywhere: two processes never wait for each other in a circle.
  const sorted = [...used].sort((a, b) => (a.id < b.id ? -1 : 1));
  await db.query(touchSql, [sorted.map(({ tenantId }) => tenantId), sorted.map(({ id }) => id)]);
}
