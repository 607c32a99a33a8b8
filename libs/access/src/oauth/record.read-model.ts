import type { Scope } from '@eas/contracts';
import type { DbScope } from '@eas/db';

export async function isGranted(
  { db, tenantId }: DbScope,
  { clientId, userId, scopes, at }: { clientId: string; userId: string; scopes: Scope[]; at: Date },
): Promise<boolean> {
  const where = { tenantId, clientId, userId, kind: 'grant', scopes: { hasEvery: scopes }, expiresAt: { gt: at } };
  return (await db.prisma.oauthRecord.findFirst({ where, select: { hash: true } })) !== null;
}
