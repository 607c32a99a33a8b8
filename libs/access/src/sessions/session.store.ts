import type { Db, DbScope } from '@eas/db';
import { longestHours } from './session.ts';

const insertSql = `
  INSERT INTO sessions (tenant_id, id, user_id, token_hash, expires_at)
  VALUES ($1, $2, $3, $4, app_now() + interval '${longestHours} hours')
  RETURNING expires_at AS "expiresAt"`;

export type NewSession = { id: string; userId: string; tokenHash: Buffer };

/** Adds a session; gives when it ends at the latest. */
export async function insertSession({ db, tenantId }: DbScope, { id, userId, tokenHash }: NewSession): Promise<Date> {
  const [row] = await db.query<{ expiresAt: Date }>(insertSql, [tenantId, id, userId, tokenHash]);
  return (row as { expiresAt: Date }).expiresAt;
}

const deleteSql = 'DELETE FROM sessions WHERE tenant_id = $1 AND id = $2 RETURNING id';

/** Ends a session. False: it had ended. */
export async function deleteSession({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  return (await db.query(deleteSql, [tenantId, id])).length > 0;
}

export async function deleteSessionsOf({ db, tenantId }: DbScope, userId: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
}

const touchSql = `
  UPDATE sessions s SET last_seen_at = app_now()
  FROM unnest($1::text[], $2::text[]) AS used (tenant_id, id)
  WHERE s.tenant_id = used.tenant_id AND s.id = used.id AND s.last_seen_at < app_now() - interval '1 minute'`;

/** Notes that sessions, of any tenants, were used. They come sorted by id. */
export async function touchSessions(db: Db, used: readonly { tenantId: string; id: string }[]): Promise<void> {
  await db.query(touchSql, [used.map(({ tenantId }) => tenantId), used.map(({ id }) => id)]);
}
