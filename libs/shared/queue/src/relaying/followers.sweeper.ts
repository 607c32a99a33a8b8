import { consumers, jobOf } from '@eas/contracts';
import { type Db, rowByKeySql, valuesOf } from '@eas/db';
import type { PendingRow } from './outbox.sweeper.ts';

const followers = consumers.filter((consumer) => jobOf(consumer).follows);

/** The end of the half second, so that a stream of events becomes few jobs. */
const soonSql = `date_bin(interval '500 milliseconds', app_now(), 'epoch') + interval '500 milliseconds'`;

const wakeSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer, available_at)
  SELECT newest.tenant_id, newest.event_id, follower.consumer, ${soonSql}
  FROM (
    SELECT tenant_id, max(event_id) AS event_id FROM unnest($1::text[], $2::text[]) AS s (tenant_id, event_id) GROUP BY 1
  ) AS newest, unnest($3::text[]) AS follower (consumer)
  ${rowByKeySql('waiting', {
    select: 'true AS is_there',
    from: 'outbox o',
    where: `o.consumer = follower.consumer AND o.tenant_id = newest.tenant_id AND o.sent_at IS NULL AND o.dead_at IS NULL
      AND o.attempts = 0`,
    lock: 'FOR UPDATE SKIP LOCKED',
    outer: true,
  })}
  WHERE waiting.is_there IS NULL ON CONFLICT DO NOTHING`;

/**
 * Makes the consumers that follow the numbers of events due for those that have got one: one outbox row for a tenant and
 * consumer, unless one waits. That row is locked to the commit, so it is not sent before the numbers can be seen; if it
 * is being sent, there is another. In the transaction that gives the numbers.
 */
export async function wakeFollowers(db: Db, rows: readonly Pick<PendingRow, 'tenantId' | 'eventId'>[]): Promise<void> {
  await db.query(wakeSql, [...valuesOf(rows, ['tenantId', 'eventId']), followers]);
}

const behindSql = `
  INSERT INTO outbox (tenant_id, event_id, consumer)
  SELECT c.tenant_id, n.event_id, follower.consumer
  FROM event_counters c CROSS JOIN unnest($1::text[]) AS follower (consumer)
  JOIN event_numbers n ON n.tenant_id = c.tenant_id AND n.number = c.last_number
  LEFT JOIN event_cursors k ON k.tenant_id = c.tenant_id AND k.consumer = follower.consumer
  WHERE c.last_number > coalesce(k.number, 0)
  ON CONFLICT DO NOTHING RETURNING 1`;

/** The same for tenants whose newest events got their numbers from the relay of a release that knows no followers. */
export async function wakeFollowersBehind(db: Db): Promise<number> {
  return (await db.query(behindSql, [followers])).length;
}
