import type { Db } from '@eas/db';
import { maxAgeHours } from '../messages/chat-message.ts';

export type DueChannel = { tenantId: string; integrationId: string; channel: string };

const perTenant = 50;
const perSweep = 500;

// From tenant to tenant, and of each only its first: a tenant with much to do does not put off the others.
const dueSql = `
  WITH RECURSIVE tenants AS (
    (SELECT tenant_id FROM chat_channels WHERE wake_at IS NOT NULL ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT n.tenant_id FROM tenants t, LATERAL (
      SELECT c.tenant_id FROM chat_channels c WHERE c.wake_at IS NOT NULL AND c.tenant_id > t.tenant_id
      ORDER BY c.tenant_id LIMIT 1
    ) AS n
  )
  SELECT d.tenant_id AS "tenantId", d.integration_id AS "integrationId", d.channel FROM tenants t, LATERAL (
    SELECT c.tenant_id, c.integration_id, c.channel, row_number() OVER (ORDER BY c.wake_at) AS turn
    FROM chat_channels c WHERE c.tenant_id = t.tenant_id AND c.wake_at <= app_now() ORDER BY c.wake_at LIMIT ${perTenant}
  ) AS d ORDER BY d.turn LIMIT ${perSweep}`;

/** Channels of all tenants where something may be posted now, those of each tenant in turns. Nothing is claimed. */
export function findDueChannels(db: Db): Promise<DueChannel[]> {
  return db.query<DueChannel>(dueSql);
}

const batchRows = 1_000;

const expireSql = `
  UPDATE chat_messages m SET state = 'expired', next_attempt_at = NULL, settled_at = app_now(),
    last_error = coalesce(m.last_error, 'too_old')
  WHERE m.ctid = ANY (ARRAY(
    SELECT ctid FROM chat_messages WHERE state = 'pending' AND created_at < app_now() - interval '${maxAgeHours} hours'
    ORDER BY created_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED))
  RETURNING m.id`;

/** Gives up messages that could not be posted for a day: gives how many. */
export async function expireChatMessages(db: Db): Promise<number> {
  return (await db.query(expireSql)).length;
}

const removeSql = `
  DELETE FROM chat_messages WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM chat_messages WHERE state <> 'pending' AND settled_at < app_now() - $1 * interval '1 day'
    ORDER BY settled_at LIMIT ${batchRows} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Removes settled messages that are older than that many days: gives how many, at most a thousand. */
export async function removeOldChatMessages(db: Db, days: number): Promise<number> {
  return days > 0 ? (await db.query(removeSql, [days])).length : 0;
}

const clicksSql = `
  DELETE FROM chat_clicks WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM chat_clicks WHERE received_at < app_now() - interval '1 day' ORDER BY received_at LIMIT ${batchRows}))
  RETURNING signature`;

/** Forgets clicks whose timestamp is refused anyway: gives how many, at most a thousand. */
export async function removeOldClicks(db: Db): Promise<number> {
  return (await db.query(clicksSql)).length;
}
