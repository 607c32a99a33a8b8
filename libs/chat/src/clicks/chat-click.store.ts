import type { DbScope } from '@eas/db';

const insertSql = `
  INSERT INTO chat_clicks (tenant_id, integration_id, signature, received_at) VALUES ($1, $2, $3, app_now())
  ON CONFLICT DO NOTHING RETURNING signature`;

/** Keeps the signature of a request. False: it came before. */
export async function insertClick(
  { db, tenantId }: DbScope,
  { integrationId, signature }: { integrationId: string; signature: string },
): Promise<boolean> {
  return (await db.query(insertSql, [tenantId, integrationId, signature])).length > 0;
}

const askedSql = `
  SELECT id FROM chat_messages WHERE tenant_id = $1 AND integration_id = $2 AND input_id = $3 AND kind = 'post' LIMIT 1`;

/** Whether the integration asks this question in its workspace. */
export async function isAskedThere(
  { db, tenantId }: DbScope,
  { integrationId, inputId }: { integrationId: string; inputId: string },
): Promise<boolean> {
  return (await db.query(askedSql, [tenantId, integrationId, inputId])).length > 0;
}
