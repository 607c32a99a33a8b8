import { assertBelowLimit, brokenConstraint, type DbScope, lockRow, type Tx } from '@eas/db';
import type { Integration } from './integration.ts';
import { findIntegration, shownFields } from './integration.read-model.ts';

/** A whole row; its secrets are sealed. */
export type StoredIntegration = Integration & {
  secret: string | null;
  previousSecret: string | null;
  token: string | null;
  signingSecret: string | null;
};

/** A new alarm begins to count now. */
const silenceCheckSql = (config: string) => `CASE WHEN ${config}::jsonb ? 'silence_alarm_hours' THEN app_now() END`;

// SQL: Prisma's client changes objects with keys such as `$type`, `constructor` and `__proto__`; status maps have any keys.
const insertSql = `
  INSERT INTO integrations (tenant_id, id, type, status, config, webhook_id, secret, token, connected_at, updated_at,
    signing_secret, silence_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, ${silenceCheckSql('$5')})
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
  const { id, status, config, secret, token, signingSecret, connectedAt } = row;
  const open = [id, row.type, status, JSON.stringify(config), config.webhook_id ?? null];
  return (await db.query(insertSql, [tenantId, ...open, secret, token, connectedAt, signingSecret])).length > 0;
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
    select: { ...shownFields, secret: true, previousSecret: true, token: true, signingSecret: true },
  });
  return (row ?? undefined) as StoredIntegration | undefined;
}

const updateSql = `
  UPDATE integrations SET status = $3, status_reason = $4, config = $5, webhook_id = $6, secret = $7, token = $8,
    updated_at = $9, previous_secret = $10, previous_secret_until = $11, signing_secret = $12, version = version + 1,
    silence_check_at = ${silenceCheckSql('$5')}
  WHERE tenant_id = $1 AND id = $2 RETURNING version`;

/** Writes a locked integration back and gives its new version. Undefined: another one has its type and webhook id. */
export async function updateIntegration(
  { db, tenantId }: DbScope,
  row: StoredIntegration,
  at: Date,
): Promise<number | undefined> {
  const { id, status, statusReason, config, secret, token, previousSecret, previousSecretUntil, signingSecret } = row;
  const open = [status, statusReason, JSON.stringify(config), config.webhook_id ?? null];
  const values = [...open, secret, token, at, previousSecret, previousSecretUntil, signingSecret];
  try {
    const [updated] = await db.query<{ version: number }>(updateSql, [tenantId, id, ...values]);
    return updated?.version;
  } catch (error) {
    if (brokenConstraint(error) === 'integrations_webhook_id_key') return undefined;
    throw error;
  }
}

/** Keeps a locked integration as a deleted row without its secrets. */
export async function markDeleted({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  const data = { deletedAt: at, updatedAt: at, version: { increment: 1 }, secret: null, token: null };
  const rest = { previousSecret: null, previousSecretUntil: null, signingSecret: null, silenceCheckAt: null };
  await db.prisma.integration.updateMany({ where: { tenantId, id }, data: { ...data, ...rest } });
}
