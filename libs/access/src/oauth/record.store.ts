import type { DbScope } from '@eas/db';
import type { RecordKind, RecordPayload } from './record.ts';

/** A buffer type that Prisma accepts: not over shared memory. */
type Hash = Buffer<ArrayBuffer>;

export type NewRecord = {
  kind: RecordKind;
  hash: Hash;
  clientId: string;
  userId: string | null;
  /** Its grant; null for grants themselves and for sign-ins in progress. */
  grantHash: Hash | null;
  scopes: readonly string[];
  payload: RecordPayload;
  validForSeconds: number;
};

// Prisma's upsert would search only the hash, and silently store nothing when another tenant has it.
const saveSql = `
  INSERT INTO oauth_records (tenant_id, hash, kind, client_id, user_id, grant_hash, scopes, payload, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, app_now() + $9 * interval '1 second')
  ON CONFLICT (tenant_id, hash) DO UPDATE
  SET scopes = excluded.scopes, payload = excluded.payload, expires_at = excluded.expires_at`;

/** Adds a record or writes it again. Breaks oauth_records_tenant_id_grant_hash_fkey when its grant is gone. */
export async function saveRecord({ db, tenantId }: DbScope, record: NewRecord): Promise<void> {
  const { hash, kind, clientId, userId, grantHash, scopes, payload, validForSeconds } = record;
  const json = JSON.stringify(payload);
  await db.query(saveSql, [tenantId, hash, kind, clientId, userId, grantHash, scopes, json, validForSeconds]);
}

const extendSql = `
  UPDATE oauth_records SET expires_at = greatest(expires_at, app_now() + $3 * interval '1 second')
  WHERE tenant_id = $1 AND hash = $2 AND kind = 'grant'`;

/** Extends a grant to at least that time. */
export async function extendGrant({ db, tenantId }: DbScope, hash: Hash, validForSeconds: number): Promise<void> {
  await db.query(extendSql, [tenantId, hash, validForSeconds]);
}

const consumeSql = `
  UPDATE oauth_records SET consumed_at = coalesce(consumed_at, $3::timestamptz) WHERE tenant_id = $1 AND hash = $2
    AND (consumed_at IS NULL OR consumed_at > $4::timestamptz)
  RETURNING hash`;

/**
 * Marks a record as used. False: it was used before, and not after `usableSince`; null: it may be used once, and of two
 * at once one succeeds.
 */
export async function consumeRecord(
  { db, tenantId }: DbScope,
  hash: Hash,
  { at, usableSince }: { at: Date; usableSince: Date | null },
): Promise<boolean> {
  return (await db.query(consumeSql, [tenantId, hash, at, usableSince])).length > 0;
}

/** Deletes a record; a grant together with everything from it. */
export async function deleteRecord({ db, tenantId }: DbScope, hash: Hash): Promise<void> {
  await db.prisma.oauthRecord.deleteMany({ where: { tenantId, hash } });
}

/** Deletes the grant of a code or token, and everything from it. */
export async function deleteGrantOf({ db, tenantId }: DbScope, hash: Hash): Promise<void> {
  await db.prisma.oauthRecord.deleteMany({ where: { tenantId, given: { some: { tenantId, hash } } } });
}

export async function deleteRecordsOfClient({ db, tenantId }: DbScope, clientId: string): Promise<void> {
  await db.prisma.oauthRecord.deleteMany({ where: { tenantId, clientId } });
}

export async function deleteRecordsOfUser({ db, tenantId }: DbScope, userId: string): Promise<void> {
  await db.prisma.oauthRecord.deleteMany({ where: { tenantId, userId } });
}
