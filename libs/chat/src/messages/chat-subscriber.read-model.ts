import type { DbScope } from '@eas/db';

/** A chat workspace that wants some of the events, and how it is reached. */
export type ChatSubscriber = { id: string; events: string[]; channels: string[]; hasToken: boolean; hasUrl: boolean };

const subscribersSql = `
  SELECT id, config -> 'events' AS events, coalesce(config -> 'channels', '[]') AS channels,
    token IS NOT NULL AS "hasToken", secret IS NOT NULL AS "hasUrl"
  FROM integrations
  WHERE tenant_id = $1 AND type = 'slack' AND status <> 'disconnected' AND deleted_at IS NULL
    AND config -> 'events' ?| $2::text[]`;

export function listChatSubscribers(
  { db, tenantId }: DbScope,
  subscriptions: readonly string[],
): Promise<ChatSubscriber[]> {
  return db.query<ChatSubscriber>(subscribersSql, [tenantId, subscriptions]);
}
