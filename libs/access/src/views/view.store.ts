import { maxViews, type SaveViewBody, type ViewKind, type ViewResource } from '@eas/contracts';
import { formatTimestamp, newId } from '@eas/core';
import type { DbScope, Prisma } from '@eas/db';

type ViewRow = { id: string; kind: string; name: string; data: unknown; createdAt: Date; updatedAt: Date };

const fields = { id: true, kind: true, name: true, data: true, createdAt: true, updatedAt: true } as const;

const viewOf = ({ id, kind, name, data, createdAt, updatedAt }: ViewRow): ViewResource => ({
  id,
  kind: kind as ViewKind,
  name,
  data: data as ViewResource['data'],
  created_at: formatTimestamp(createdAt),
  updated_at: formatTimestamp(updatedAt),
});

export async function viewsOf({ db, tenantId }: DbScope, ownerId: string): Promise<ViewResource[]> {
  const orderBy = [{ kind: 'asc' }, { name: 'asc' }] as const;
  const where = { tenantId, ownerId };
  const rows = await db.prisma.savedView.findMany({ where, orderBy: [...orderBy], take: maxViews, select: fields });
  return rows.map(viewOf);
}

/** How many others the owner has. */
export const countOtherViews = (
  { db, tenantId }: DbScope,
  ownerId: string,
  { kind, name }: Pick<SaveViewBody, 'kind' | 'name'>,
): Promise<number> => db.prisma.savedView.count({ where: { tenantId, ownerId, NOT: { kind, name } } });

/** Adds a view, or replaces the data of the owner's one of this kind and name. */
export async function putView(
  { db, tenantId }: DbScope,
  { kind, name, ...body }: SaveViewBody,
  { ownerId, at }: { ownerId: string; at: Date },
): Promise<ViewResource> {
  const data = body.data as Prisma.InputJsonObject;
  const where = { tenantId_ownerId_kind_name: { tenantId, ownerId, kind, name } };
  const create = { tenantId, id: newId('savedView'), ownerId, kind, name, data, createdAt: at, updatedAt: at };
  const update = { data, updatedAt: at };
  return viewOf(await db.prisma.savedView.upsert({ where, create, update, select: fields }));
}

/** False: the owner has no such view. */
export async function removeView({ db, tenantId }: DbScope, ownerId: string, id: string): Promise<boolean> {
  const { count } = await db.prisma.savedView.deleteMany({ where: { tenantId, ownerId, id } });
  return count > 0;
}

export async function deleteViewsOf({ db, tenantId }: DbScope, ownerId: string): Promise<void> {
  await db.prisma.savedView.deleteMany({ where: { tenantId, ownerId } });
}
