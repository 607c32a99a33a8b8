import type { Db } from '../connection/db.ts';

/** Removes the canaries of all keys except one: the others seal nothing any more. Returns their ids. */
export async function forgetCanaries(db: Db, keyId: string): Promise<string[]> {
  const sql = 'DELETE FROM encryption_canaries WHERE key_id <> $1 RETURNING key_id AS "keyId"';
  return (await db.query<{ keyId: string }>(sql, [keyId])).map((row) => row.keyId);
}
