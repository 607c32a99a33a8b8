import type { DbScope } from '@eas/db';

export type NewLink = {
  id: string;
  purpose: 'first_admin' | 'set_password';
  userId: string | null;
  tokenHash: Buffer<ArrayBuffer>;
  expiresAt: Date;
};

export async function insertLink({ db, tenantId }: DbScope, link: NewLink): Promise<void> {
  await db.prisma.accessLink.create({ data: { ...link, tenantId }, select: { id: true } });
}

/** Uses a link up. False: it was used up or expired before. */
export async function takeLink({ db, tenantId }: DbScope, id: string, at: Date): Promise<boolean> {
  const { count } = await db.prisma.accessLink.deleteMany({ where: { tenantId, id, expiresAt: { gt: at } } });
  return count > 0;
}

/** Revokes unused links that create a first admin. */
export async function deleteFirstAdminLinks({ db, tenantId }: DbScope): Promise<void> {
  await db.prisma.accessLink.deleteMany({ where: { tenantId, purpose: 'first_admin' } });
}

export async function deleteLinksOf({ db, tenantId }: DbScope, userId: string): Promise<void> {
  await db.prisma.accessLink.deleteMany({ where: { tenantId, userId } });
}
