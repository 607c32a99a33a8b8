import type { DbScope } from '@eas/db';

const resumeSql = `
  UPDATE chat_channels SET stopped_reason = NULL, failures = 0, wake_at = greatest(next_post_at, app_now())
  WHERE tenant_id = $1 AND integration_id = $2 AND stopped_reason IS NOT NULL`;

/** Posts to the stopped channels of a locked integration again. */
export async function resumeChannels({ db, tenantId }: DbScope, integrationId: string): Promise<void> {
  await db.query(resumeSql, [tenantId, integrationId]);
}

const stopOneSql = `
  UPDATE chat_channels SET stopped_reason = $4, wake_at = NULL
  WHERE tenant_id = $1 AND integration_id = $2 AND channel = $3`;
const stopAllSql = `
  UPDATE chat_channels SET stopped_reason = $3, wake_at = NULL WHERE tenant_id = $1 AND integration_id = $2`;

/** What stops: a channel, or without one all channels of the integration. */
export type Stop = { integrationId: string; channel?: string | undefined; reason: string };

/** Posts nothing there until the integration is changed or tested. */
export async function stopChannels({ db, tenantId }: DbScope, { integrationId, channel, reason }: Stop): Promise<void> {
  if (channel === undefined) await db.query(stopAllSql, [tenantId, integrationId, reason]);
  else await db.query(stopOneSql, [tenantId, integrationId, channel, reason]);
}

const degradeSql = `
  UPDATE integrations SET version = version + (status = 'active')::int, status = 'degraded', status_reason = $4,
    last_error_at = app_now(), last_error_reason = $3
  WHERE tenant_id = $1 AND id = $2 AND status <> 'disconnected' AND deleted_at IS NULL`;

/** Marks the integration as degraded. `reason` is the word of the error, `text` says it to people. */
export async function degrade(
  { db, tenantId }: DbScope,
  { id, reason, text }: { id: string; reason: string; text: string },
): Promise<void> {
  await db.query(degradeSql, [tenantId, id, reason, text]);
}

const errorSql = `
  UPDATE integrations SET last_error_at = app_now(), last_error_reason = $3
  WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`;

export async function recordError({ db, tenantId }: DbScope, id: string, reason: string): Promise<void> {
  await db.query(errorSql, [tenantId, id, reason]);
}

const healSql = `
  UPDATE integrations SET version = version + 1, status = 'active', status_reason = NULL
  WHERE tenant_id = $1 AND id = $2 AND status = 'degraded' AND deleted_at IS NULL`;

/** A degraded integration works again. */
export async function heal({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(healSql, [tenantId, id]);
}
