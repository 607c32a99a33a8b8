import { assertBelowLimit, brokenConstraint, type DbScope, type Tx } from '@eas/db';
import type { Integration } from './integration.ts';
import { integrationColumns } from './integration.read-model.ts';

/** A whole row; both secrets are sealed. */
export type StoredIntegration = Integration & { secret: string | null; token: string | null };

const insertSql = `
  INSERT INTO integrations (tenant_id, id, type, status, config, webhook_id, secret, token, connected_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  ON CONFLICT DO NOTHING RETURNING id`;

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
  const inserted = await db.query(insertSql, [
    tenantId,
    row.id,
    row.type,
    row.status,
    JSON.stringify(row.config),
    row.config.webhook_id ?? null,
    row.secret,
    row.token,
    row.connectedAt,
  ]);
  return inserted.length > 0;
}

const lockSql = `
  SELECT ${integrationColumns}, secret, token FROM integrations
  WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;

/** Locks an integration that was not deleted. */
export async function lockIntegration({ db, tenantId }: DbScope, id: string): Promise<StoredIntegration | undefined> {
  const [integration] = await db.query<StoredIntegration>(lockSql, [tenantId, id]);
  return integration;
}

const updateSql = `
  UPDATE integrations SET status = $3, status_reason = $4, config = $5, webhook_id = $6, secret = $7, token = $8,
    updated_at = app_now(), version = version + 1
  WHERE tenant_id = $1 AND id = $2 RETURNING version`;

/** Writes a locked integration back and gives its new version. Undefined: another one has its type and webhook id. */
export async function updateIntegration(
  { db, tenantId }: DbScope,
  row: StoredIntegration,
): Promise<number | undefined> {
  const { id, status, statusReason, config, secret, token } = row;
  const values = [tenantId, id, status, statusReason, JSON.stringify(config), config.webhook_id ?? null, secret, token];
  try {
    const [updated] = await db.query<{ version: number }>(updateSql, values);
    return updated?.version;
  } catch (error) {
    if (brokenConstraint(error) === 'integrations_webhook_id_key') return undefined;
    throw error;
  }
}

const deleteSql = `
  UPDATE integrations SET deleted_at = app_now(), updated_at = app_now(), version = version + 1, secret = NULL, token = NULL
  WHERE tenant_id = $1 AND id = $2`;

/** Keeps a locked integration as a deleted row without its secrets. */
export async function markDeleted({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(deleteSql, [tenantId, id]);
}
