import { assertBelowLimit, brokenConstraint, type DbScope, lockRow, type Prisma, type Tx } from '@eas/db';
import type { Integration } from './integration.ts';
import { findIntegration, shownFields } from './integration.read-model.ts';

/** A whole row; both secrets are sealed. */
export type StoredIntegration = Integration & { secret: string | null; token: string | null };

/**
 * Inserts an integration whose secrets are sealed. False: the tenant has one of that type and webhook id already.
 * Throws conflict `limit` when it has `max` of that direction already.
 */
export async function insertIntegration(tx: Tx, row: StoredIntegration, max: number): Promise<boolean> {
  const { db, tenantId } = tx;
  // Those that others call, and those that we call.
  const type = row.type === 'slack' ? 'slack' : { not: 'slack' };
  const count = () => db.prisma.integration.count({ where: { tenantId, type, deletedAt: null } });
  await assertBelowLimit(tx, 'integrations', max, count);
  const data = { ...row, ...configColumns(row), tenantId, updatedAt: row.connectedAt };
  const inserted = await db.prisma.integration.createMany({ data, skipDuplicates: true });
  return inserted.count > 0;
}

/** Locks an integration that was not deleted. */
export async function lockIntegration(scope: DbScope, id: string): Promise<Integration | undefined> {
  await lockRow(scope, 'integrations', id);
  return findIntegration(scope, id);
}

/** Locks an integration that was not deleted, to write it back. */
export async function lockStored(scope: DbScope, id: string): Promise<StoredIntegration | undefined> {
  await lockRow(scope, 'integrations', id);
  const row = await scope.db.prisma.integration.findFirst({
    where: { tenantId: scope.tenantId, id, deletedAt: null },
    select: { ...shownFields, secret: true, token: true },
  });
  return (row ?? undefined) as StoredIntegration | undefined;
}

/** Writes a locked integration back and gives its new version. Undefined: another one has its type and webhook id. */
export async function updateIntegration(
  { db, tenantId }: DbScope,
  row: StoredIntegration,
  at: Date,
): Promise<number | undefined> {
  const { id, status, statusReason, secret, token } = row;
  const data = { status, statusReason, ...configColumns(row), secret, token, updatedAt: at, version: { increment: 1 } };
  try {
    const where = { tenantId_id: { tenantId, id } };
    const updated = await db.prisma.integration.update({ where, data, select: { version: true } });
    return updated.version;
  } catch (error) {
    if (brokenConstraint(error) === 'integrations_webhook_id_key') return undefined;
    throw error;
  }
}

const configColumns = ({ config }: Integration) => ({
  config: config as Prisma.InputJsonObject,
  webhookId: config.webhook_id ?? null,
});

/** Keeps a locked integration as a deleted row without its secrets. */
export async function markDeleted({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  const data = { deletedAt: at, updatedAt: at, version: { increment: 1 }, secret: null, token: null };
  await db.prisma.integration.updateMany({ where: { tenantId, id }, data });
}
