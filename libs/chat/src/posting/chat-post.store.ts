import type { DbScope } from '@eas/db';
import type { ChatChannel } from '../messages/chat-tables.ts';

/** What posting needs besides the message. Secrets are sealed; `isOver`: the integration was switched off or deleted. */
export type ChatAccess = {
  isOver: boolean;
  webhookUrl: string | null;
  token: string | null;
  isInteractive: boolean;
  /** Null: the event is not kept any more. */
  data: Record<string, unknown> | null;
};

const accessSql = `
  SELECT i.status = 'disconnected' OR i.deleted_at IS NOT NULL AS "isOver", i.secret AS "webhookUrl", i.token,
    i.signing_secret IS NOT NULL AS "isInteractive", e.data
  FROM integrations i LEFT JOIN events e ON e.tenant_id = $1 AND e.event_id = $3
  WHERE i.tenant_id = $1 AND i.id = $2`;

export async function readChatAccess(
  { db, tenantId }: DbScope,
  { integrationId, eventId }: { integrationId: string; eventId: string },
): Promise<ChatAccess | undefined> {
  return (await db.query<ChatAccess>(accessSql, [tenantId, integrationId, eventId]))[0];
}

type ChannelKey = Pick<ChatChannel, 'integrationId' | 'channel'>;

const reportedSql = `
  UPDATE chat_channels SET skipped = greatest(skipped - $4, 0)
  WHERE tenant_id = $1 AND integration_id = $2 AND channel = $3`;

/** A posted message has said that so many were left out. */
export async function forgetSkipped(
  { db, tenantId }: DbScope,
  { integrationId, channel, skipped }: ChannelKey & { skipped: number },
): Promise<void> {
  if (skipped > 0) await db.query(reportedSql, [tenantId, integrationId, channel, skipped]);
}

const dropSql = `
  UPDATE chat_messages SET state = 'skipped', last_error = 'disconnected', next_attempt_at = NULL, settled_at = app_now(),
    response_url = NULL
  WHERE tenant_id = $1 AND integration_id = $2 AND channel = $3 AND state = 'pending'`;

/** Ends what waits for a channel of an integration that was switched off or deleted. */
export async function dropMessages({ db, tenantId }: DbScope, { integrationId, channel }: ChannelKey): Promise<void> {
  await db.query(dropSql, [tenantId, integrationId, channel]);
}
