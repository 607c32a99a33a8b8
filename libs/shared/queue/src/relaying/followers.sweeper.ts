import { type Consumer, followers, jobOf } from '@eas/contracts';
import { availableAtSql, rowByKeySql, type Tx, valuesOf } from '@eas/db';
import type { NumberedEvents } from './numbers.sweeper.ts';
import { type DueJob, lagSql, rowSql } from './outbox.sweeper.ts';

const traits = followers.map((consumer) => ({
  consumer,
  isForSubscribed: jobOf(consumer).follows?.isForSubscribed ?? false,
  isGathered: jobOf(consumer).gatheredMs !== undefined,
}));

const wakeSql = `
  WITH owed AS (
    SELECT n.tenant_id, n.event_id, n.before, f.consumer, f.sent_at
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (tenant_id, event_id, before),
      (SELECT consumer, is_for_subscribed, CASE WHEN is_sent THEN app_now() END AS sent_at
       FROM unnest($4::text[], $5::bool[], $6::bool[]) AS f (consumer, is_for_subscribed, is_sent)) AS f
    WHERE NOT f.is_for_subscribed OR EXISTS (SELECT FROM subscribed_tenants s WHERE s.tenant_id = n.tenant_id)
  ), begun AS (
    INSERT INTO event_cursors (tenant_id, consumer, number)
    SELECT o.tenant_id, o.consumer, o.before FROM owed o
    WHERE NOT EXISTS (
      SELECT FROM event_cursors c WHERE c.tenant_id = o.tenant_id AND c.consumer = o.consumer AND c.number <= o.before)
    ON CONFLICT (tenant_id, consumer) DO UPDATE SET number = least(event_cursors.number, excluded.number)
  )
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at, sent_at)
  SELECT owed.tenant_id, owed.event_id, owed.consumer, ${availableAtSql('owed.consumer')}, owed.sent_at FROM owed
  ${rowByKeySql('waiting', {
    select: 'true AS is_there',
    from: 'outbox o',
    where: `o.consumer = owed.consumer AND o.tenant_id = owed.tenant_id AND o.sent_at IS NULL AND o.dead_at IS NULL
      AND o.attempts = 0`,
    lock: 'FOR UPDATE SKIP LOCKED',
    outer: true,
  })}
  WHERE waiting.is_there IS NULL ON CONFLICT DO NOTHING
  RETURNING ${rowSql}, ${lagSql}, NULL::text[] AS "eventIds", sent_at IS NOT NULL AS "isSent"`;

/**
 * Makes the consumers that follow the numbers of events due for those that have got one: one outbox row for a tenant and
 * consumer, unless one waits. That row is locked to the commit, so it is not sent before the numbers can be seen; if it
 * is being sent, there is another. A consumer begins with the first numbers that it is due for; one whose position is ahead
 * of all numbers, as after a restore of the other tables, goes back to them. In the transaction that gives the numbers.
 *
 * Returns the rows of consumers that are due at once, marked as sent: send them after the commit. Those of consumers
 * without capacity are left to a later round.
 */
export async function wakeFollowers(
  { db }: Pick<Tx, 'db'>,
  numbered: readonly NumberedEvents[],
  hasCapacity: (consumer: Consumer) => boolean,
): Promise<DueJob[]> {
  if (numbered.length === 0) return [];
  const followersNow = traits.map((one) => ({ ...one, isSent: !one.isGathered && hasCapacity(one.consumer) }));
  const rows = await db.query<DueJob & { isSent: boolean }>(wakeSql, [
    ...valuesOf(numbered, ['tenantId', 'eventId', 'before']),
    ...valuesOf(followersNow, ['consumer', 'isForSubscribed', 'isSent']),
  ]);
  return rows.filter(({ isSent }) => isSent);
}
