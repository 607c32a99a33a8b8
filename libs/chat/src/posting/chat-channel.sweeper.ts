import { type Db, distinctKeysSql, inBatches, isLockedRowSql, removeInBatches } from '@eas/db';
import { maxAgeHours } from '../messages/chat-message.ts';

export type DueChannel = { tenantId: string; integrationId: string; channel: string };

const perTenant = 50;
const perSweep = 500;

// From tenant to tenant, and of each only its first: a tenant with much to do does not put off the others.
const dueSql = `
  WITH RECURSIVE ${distinctKeysSql('tenants', { from: 'chat_channels', column: 'tenant_id', where: 'wake_at IS NOT NULL' })}
  SELECT d.tenant_id AS "tenantId", d.integration_id AS "integrationId", d.channel FROM tenants t, LATERAL (
    SELECT c.tenant_id, c.integration_id, c.channel, row_number() OVER (ORDER BY c.wake_at) AS turn
    FROM chat_channels c WHERE c.tenant_id = t.tenant_id AND c.wake_at <= app_now() ORDER BY c.wake_at LIMIT ${perTenant}
  ) AS d ORDER BY d.turn LIMIT ${perSweep}`;

/** Channels of all tenants where something may be posted now, those of each tenant in turns. Nothing is claimed. */
export function findDueChannels(db: Db): Promise<DueChannel[]> {
  return db.query<DueChannel>(dueSql);
}

const expireSql = `
  UPDATE chat_messages m SET state = 'expired', next_attempt_at = NULL, settled_at = app_now(),
    last_error = coalesce(m.last_error, 'too_old')
  WHERE ${isLockedRowSql({
    table: 'chat_messages',
    where: `state = 'pending' AND created_at < app_now() - interval '${maxAgeHours} hours'`,
    orderBy: 'created_at',
    limit: '$1',
  })}
  RETURNING m.id`;

/** Gives up messages that could not be posted for a day: gives how many. */
export function expireChatMessages(db: Db, signal?: AbortSignal): Promise<number> {
  return inBatches(async (limit) => (await db.query(expireSql, [limit])).length, { signal });
}

/** Removes settled messages that are older than this many days, of 0 days none: gives how many. */
export async function removeOldChatMessages(db: Db, days: number, signal?: AbortSignal): Promise<number> {
  if (days === 0) return 0;
  return removeInBatches(db, {
    table: 'chat_messages',
    where: `state <> 'pending' AND settled_at < app_now() - $2 * interval '1 day'`,
    orderBy: 'settled_at',
    values: [days],
    signal,
  });
}

/** Forgets clicks whose timestamp is refused anyway: gives how many. */
export function removeOldClicks(db: Db, signal?: AbortSignal): Promise<number> {
  return removeInBatches(db, {
    table: 'chat_clicks',
    where: `received_at < app_now() - interval '1 day'`,
    orderBy: 'received_at',
    signal,
  });
}
