import { type DbScope, tryLockName } from '@eas/db';

/** What a key is unique for: the credential, and method and path as called. */
export type IdempotentCall = { credentialId: string; route: string; key: string };

export type KeptResponse = { fingerprint: Buffer; status: number; response: string };

/** Holds the key until the transaction ends. False: another request with the key is still running. */
export const tryLockKey = ({ db, tenantId }: DbScope, { credentialId, route, key }: IdempotentCall): Promise<boolean> =>
  tryLockName(db, JSON.stringify([tenantId, credentialId, route, key]));

const findSql = `
  SELECT fingerprint, status, response FROM idempotency_records
  WHERE tenant_id = $1 AND credential_id = $2 AND route = $3 AND key = $4
    AND created_at > app_now() - interval '24 hours'`;

/**
 * The stored response of the last 24 hours. Read after the lock, in a separate statement, to see what was committed.
 */
export async function findKeptResponse({ db, tenantId }: DbScope, { credentialId, route, key }: IdempotentCall) {
  const [row] = await db.query<KeptResponse>(findSql, [tenantId, credentialId, route, key]);
  return row;
}

const keepSql = `
  INSERT INTO idempotency_records (tenant_id, credential_id, route, key, fingerprint, status, response)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (tenant_id, credential_id, route, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, response = excluded.response, created_at = app_now()`;

/** Stores a response. The caller holds the key's lock and found none younger than 24 hours. */
export async function keepResponse(
  { db, tenantId }: DbScope,
  call: IdempotentCall,
  result: KeptResponse,
): Promise<void> {
  const { fingerprint, status, response } = result;
  await db.query(keepSql, [tenantId, call.credentialId, call.route, call.key, fingerprint, status, response]);
}
