import type { Scope, Tier } from '@eas/contracts';
import { assertBelowLimit, type Db, type DbScope, lockName, lockRow, selectList, type Tx } from '@eas/db';
import { findKey, keyFields, type KeyRow } from './api-key.read-model.ts';

export type NewApiKey = {
  id: string;
  name: string;
  hash: Buffer<ArrayBuffer>;
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

/** Adds a key. Breaks api_keys_hash_key when the same text is a key already, and a foreign key on an unknown agent. */
export async function insertApiKey({ db, tenantId }: DbScope, key: NewApiKey): Promise<KeyRow> {
  const data = { ...key, tenantId, scopes: [...key.scopes], updatedAt: key.createdAt };
  return (await db.prisma.apiKey.create({ data, select: keyFields })) as KeyRow;
}

/** Locks one key, revoked or not, until the transaction ends. */
export async function lockKey(scope: DbScope, id: string): Promise<KeyRow | undefined> {
  await lockRow(scope, 'api_keys', id);
  return findKey(scope, id);
}

export type KeyChange = Pick<KeyRow, 'name' | 'scopes' | 'tier' | 'rateLimit' | 'expiresAt' | 'updatedAt'>;

export async function updateKey({ db, tenantId }: DbScope, id: string, change: KeyChange): Promise<KeyRow> {
  const where = { tenantId_id: { tenantId, id } };
  const data = { ...change, version: { increment: 1 } };
  return (await db.prisma.apiKey.update({ where, data, select: keyFields })) as KeyRow;
}

/** SQL, so that the previous hash is stored without being read. */
const rotateSql = `
  UPDATE api_keys SET hash = $3, prefix = $4, last_four = $5,
    previous_hash = CASE WHEN $6::timestamptz IS NOT NULL THEN hash END, previous_valid_until = $6,
    updated_at = $7, version = version + 1
  WHERE tenant_id = $1 AND id = $2 RETURNING ${selectList(keyFields)}`;

export type Rotation = Pick<NewApiKey, 'hash' | 'prefix' | 'lastFour'> & { previousValidUntil: Date | null; at: Date };

/** Sets a new text. The previous one works until that time, or not at all (null); an older one does not. */
export async function rotateKey({ db, tenantId }: DbScope, id: string, rotation: Rotation): Promise<KeyRow> {
  const { hash, prefix, lastFour, previousValidUntil, at } = rotation;
  const [row] = await db.query<KeyRow>(rotateSql, [tenantId, id, hash, prefix, lastFour, previousValidUntil, at]);
  return row as KeyRow;
}

/** Throws conflict `limit` when the tenant has `max` keys that are neither revoked nor expired. */
export function assertBelowKeyLimit(tx: Tx, { max, at }: { max: number; at: Date }): Promise<void> {
  const { db, tenantId } = tx;
  const isUsable = { tenantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
  return assertBelowLimit(tx, 'keys', max, () => db.prisma.apiKey.count({ where: isUsable }));
}

/** Revokes one key, or all keys of an agent. Returns the ids of those that were not revoked before. */
export async function revokeKeys(
  { db, tenantId }: DbScope,
  which: { id: string } | { agentId: string },
  at: Date,
): Promise<string[]> {
  const rows = await db.prisma.apiKey.updateManyAndReturn({
    where: { tenantId, ...which, revokedAt: null },
    data: { revokedAt: at, updatedAt: at, version: { increment: 1 } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Locks the creation of the key from that setting until the transaction ends, since several processes boot at once. */
export const lockOrigin = (scope: DbScope, origin: string): Promise<void> => lockName(scope, `api_key ${origin}`);

const originFields = { id: true, lastFour: true, revokedAt: true } as const;

export type OriginKey = Pick<KeyRow, keyof typeof originFields>;

/** The key with that hash, revoked or not. */
export const findKeyByHash = ({ db, tenantId }: DbScope, hash: NewApiKey['hash']): Promise<OriginKey | null> =>
  db.prisma.apiKey.findFirst({ where: { tenantId, hash }, select: originFields });

/** The live key that the setting made. */
export const findKeyOfOrigin = ({ db, tenantId }: DbScope, origin: string): Promise<OriginKey | null> =>
  db.prisma.apiKey.findFirst({ where: { tenantId, origin, revokedAt: null }, select: originFields });

const otherFields = { prefix: true, lastFour: true, createdAt: true } as const;

export type OtherKey = Pick<KeyRow, keyof typeof otherFields>;

/** Live keys that settings or data folders made, the newest ten. */
export const findOtherOrigins = ({ db, tenantId }: DbScope): Promise<OtherKey[]> =>
  db.prisma.apiKey.findMany({
    where: { tenantId, origin: { not: null }, revokedAt: null },
    select: otherFields,
    orderBy: { createdAt: 'desc' },
    take: 10,
  });

export type ReplacedKey = Pick<NewApiKey, 'hash' | 'prefix' | 'lastFour' | 'rateLimit' | 'scopes'> & { at: Date };

/** SQL, so that the stored hash is compared without being read. */
const replaceSql = `
  UPDATE api_keys SET hash = $3, prefix = $4, last_four = $5, rate_limit = $6, scopes = $7,
    updated_at = $8, version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL AND origin IS NOT NULL
    AND (hash, rate_limit, scopes) IS DISTINCT FROM ($3, $6, $7::text[])`;

/** Sets the text, limit and scopes of a key from a setting. A revoked key, or one that people created, is unchanged. */
export async function replaceKeyText({ db, tenantId }: DbScope, id: string, row: ReplacedKey): Promise<void> {
  const { hash, prefix, lastFour, rateLimit, scopes, at } = row;
  await db.query(replaceSql, [tenantId, id, hash, prefix, lastFour, rateLimit, scopes, at]);
}

const touchSql = `
  UPDATE api_keys k SET last_used_at = app_now()
  FROM unnest($1::text[], $2::text[]) AS used (tenant_id, id)
  WHERE k.tenant_id = used.tenant_id AND k.id = used.id`;

/** Records that keys, of any tenants, were used. They come sorted by id. */
export async function touchApiKeys(db: Db, used: readonly { tenantId: string; id: string }[]): Promise<void> {
  await db.query(touchSql, [used.map(({ tenantId }) => tenantId), used.map(({ id }) => id)]);
}
