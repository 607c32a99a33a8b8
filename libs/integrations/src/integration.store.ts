import type { DbScope } from '@eas/db';
import type { Integration } from './integration.ts';

export type NewIntegration = Integration & { secret: string | null; token: string | null };

const insertSql = `
  INSERT INTO integrations (tenant_id, id, type, status, config, webhook_id, secret, token, connected_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  ON CONFLICT DO NOTHING RETURNING id`;

/** Inserts an integration whose secrets are sealed. False: the tenant has one of that type and webhook id already. */
export async function insertIntegration({ db, tenantId }: DbScope, row: NewIntegration): Promise<boolean> {
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
