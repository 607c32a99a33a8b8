import type { Db, DbScope } from '@eas/db';

/** `expiresAt`: its latest end. */
export type NewSession = { id: string; userId: string; tokenHash: Buffer<ArrayBuffer>; expiresAt: Date };

export async function insertSession({ db, tenantId }: DbScope, session: NewSession): Promise<void> {
  await db.prisma.session.create({ data: { ...session, tenantId }, select: { id: true } });
}

/** Ends a session. False: it had ended. */
export async function deleteSession({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  const { count } = await db.prisma.session.deleteMany({ where: { tenantId, id } });
  return count > 0;
}

export async function deleteSessionsOf({ db, tenantId }: DbScope, userId: string): Promise<void> {
  await db.prisma.session.deleteMany({ where: { tenantId, userId } });
}

export async function deleteOtherSessions(
  { db, tenantId }: DbScope,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await db.prisma.session.deleteMany({ where: { tenantId, userId, id: { not: sessionId } } });
}

const touchSql = `
  UPDATE sessions s SET last_seen_at = app_now()
  FROM unnest($1::text[], $2::text[]) AS used (tenant_id, id)
  WHERE s.tenant_id = used.tenant_id AND s.id = used.id AND s.last_seen_at < app_now() - interval '1 minute'`;

/** Records that sessions, of any tenants, were used. They come sorted by id. */
export async function touchSessions(db: Db, used: readonly { tenantId: string; id: string }[]): Promise<void> {
  await db.query(touchSql, [used.map(({ tenantId }) => tenantId), used.map(({ id }) => id)]);
}
