import type { DbScope } from '@eas/db';
import type { Reconcile } from './reconcile.ts';

const visible = {
  id: true,
  integrationId: true,
  status: true,
  since: true,
  until: true,
  cursor: true,
  seen: true,
  created: true,
  updated: true,
  unchanged: true,
  failed: true,
  lastError: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  finishedAt: true,
} as const;

export async function findReconcile({ db, tenantId }: DbScope, id: string): Promise<Reconcile | undefined> {
  const row = await db.prisma.platformReconcile.findFirst({ where: { tenantId, id }, select: visible });
  return (row ?? undefined) as Reconcile | undefined;
}

export async function findRunningReconcile(
  { db, tenantId }: DbScope,
  integrationId: string,
): Promise<string | undefined> {
  const where = { tenantId, integrationId, status: 'running' };
  return (await db.prisma.platformReconcile.findFirst({ where, select: { id: true } }))?.id;
}
