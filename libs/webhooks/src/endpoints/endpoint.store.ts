import { assertBelowLimit, type DbScope, lockRow, type Tx } from '@eas/db';
import type { Endpoint, StoredEndpoint } from './endpoint.ts';
import { shownFields } from './endpoint.read-model.ts';

type NewEndpoint = Pick<
  StoredEndpoint,
  | 'id'
  | 'url'
  | 'description'
  | 'events'
  | 'headerNames'
  | 'ordering'
  | 'maxPerSecond'
  | 'secret'
  | 'headers'
  | 'createdAt'
  | 'updatedAt'
>;

/** From now on the tenant's public events fan out (a trigger subscribes it). `secret` is sealed. Throws conflict `limit` at `max` endpoints. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint, max: number): Promise<Endpoint> {
  const { db, tenantId } = tx;
  await assertBelowLimit(tx, 'endpoints', max, () =>
    db.prisma.endpoint.count({ where: { tenantId, deletedAt: null } }),
  );
  return db.prisma.endpoint.create({ data: { tenantId, ...endpoint }, select: shownFields });
}

const storedFields = {
  ...shownFields,
  secret: true,
  previousSecret: true,
  headers: true,
  probeAt: true,
  probes: true,
} as const;

/** Locks an endpoint that was not deleted, to write it back. */
export async function lockEndpoint(scope: DbScope, id: string): Promise<StoredEndpoint | undefined> {
  await lockRow(scope, 'endpoints', id);
  const where = { tenantId: scope.tenantId, id, deletedAt: null };
  return (await scope.db.prisma.endpoint.findFirst({ where, select: storedFields })) ?? undefined;
}

/** Writes a locked endpoint back as its next version. */
export async function updateEndpoint(
  { db, tenantId }: DbScope,
  { id, version: _version, createdAt: _createdAt, ...data }: StoredEndpoint,
  updatedAt: Date,
): Promise<Endpoint> {
  const where = { tenantId_id: { tenantId, id } };
  return db.prisma.endpoint.update({
    where,
    data: { ...data, updatedAt, version: { increment: 1 } },
    select: shownFields,
  });
}

/** Keeps a locked endpoint as a deleted row without its secrets. */
export async function markDeleted({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  const sealed = { secret: '', previousSecret: null, previousSecretUntil: null, headers: null };
  const data = { ...sealed, probeAt: null, deletedAt: at, updatedAt: at, version: { increment: 1 } };
  await db.prisma.endpoint.updateMany({ where: { tenantId, id }, data });
}
