import type { Send } from '@eas/contracts';
import { type Db, earliestAt, firstRowsSql, inIndexOrderSql, type Tx } from '@eas/db';
import { atRowIdSql, dueAndFreeSql, freeSql, inHandCountSql, rowIdsSql } from './delivery-sql.ts';
import { sendJobs } from './send-jobs.ts';
import { maxInHand, maxQueuedAtOnce, queuedMs } from './sending-limits.ts';

/** Maximum number of rows that one sweep queues. */
const sweepLimit = 2_000;

/** As long as fewer are due, the endpoints are theirs. */
const headRows = 1_000;

// The endpoints of what is due. With more of it than the head shows, endpoint by endpoint through all that have
// something pending: the backlog of one is never read for the others, so its length does not matter. Among the found
// ones, tenants take turns: a long backlog of one does not delay the others.
const sweepSql = `
  WITH RECURSIVE head AS MATERIALIZED (
    SELECT d.tenant_id, d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.next_attempt_at <= app_now()
    ORDER BY d.next_attempt_at LIMIT ${headRows}
  ), endpoints_waiting AS (
    (SELECT d.tenant_id, d.endpoint_id, d.next_attempt_at FROM deliveries d
     WHERE d.status = 'pending' AND (SELECT count(*) FROM head) = ${headRows}
     ORDER BY d.tenant_id, d.endpoint_id, d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM endpoints_waiting w
    ${firstRowsSql('n', {
      select: 'd.tenant_id, d.endpoint_id, d.next_attempt_at',
      from: 'deliveries d',
      where: `d.status = 'pending' AND (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)`,
      orderBy: 'd.tenant_id, d.endpoint_id, d.next_attempt_at',
    })}
  ), endpoints_due AS (
    SELECT DISTINCT tenant_id, endpoint_id FROM head WHERE (SELECT count(*) FROM head) < ${headRows}
    UNION ALL
    SELECT tenant_id, endpoint_id FROM endpoints_waiting WHERE next_attempt_at <= app_now()
  ), oldest AS MATERIALIZED (
    SELECT tenant_id, event_id, endpoint_id FROM (
      SELECT f.*, row_number() OVER (PARTITION BY f.tenant_id ORDER BY f.next_attempt_at) AS turn
      FROM endpoints_due w
      ${firstRowsSql('f', {
        select: 'd.tenant_id, d.event_id, d.endpoint_id, d.next_attempt_at',
        from: 'deliveries d',
        where: `d.tenant_id = w.tenant_id AND d.endpoint_id = w.endpoint_id AND ${dueAndFreeSql('d')}`,
        orderBy: 'd.next_attempt_at',
        limit: maxQueuedAtOnce,
      })}
      WHERE ${inHandCountSql('w.tenant_id', 'w.endpoint_id')} < ${maxInHand}
    ) AS waiting
    ORDER BY turn, event_id LIMIT ${sweepLimit}
  ), due AS MATERIALIZED (${rowIdsSql('oldest', freeSql, 'FOR NO KEY UPDATE SKIP LOCKED')}
  ), queued AS (
    UPDATE deliveries d SET queued_until = app_now() + interval '${queuedMs} milliseconds' FROM due
    WHERE ${atRowIdSql('due')}
    RETURNING d.tenant_id, d.endpoint_id, d.event_id, d.attempts > 0 OR d.replay_id IS NOT NULL AS is_again
  )
  SELECT tenant_id AS "tenantId", endpoint_id AS "endpointId", event_id AS "eventId", is_again AS "isAgain" FROM queued
  ORDER BY tenant_id, endpoint_id, event_id`;

/**
 * Finds due deliveries of all tenants without a job: ended waits, deliveries beyond an endpoint's queue limit, and
 * those of a lost job or a dead worker. Marks them as queued and returns the jobs, which must be sent after the commit.
 */
export async function sweepDueDeliveries({ db }: Pick<Tx, 'db'>): Promise<Send[]> {
  await db.query(inIndexOrderSql);
  return sendJobs(
    await db.query<{ tenantId: string; endpointId: string; eventId: string; isAgain: boolean }>(sweepSql),
  );
}

const waitingSql = `
  SELECT next_attempt_at FROM deliveries WHERE status = 'pending' ORDER BY next_attempt_at LIMIT 1`;
const probedSql = `
  SELECT probe_at FROM endpoints WHERE probe_at IS NOT NULL AND status = 'paused' AND deleted_at IS NULL
  ORDER BY probe_at LIMIT 1`;
const drainingSql = 'SELECT app_now() FROM endpoints WHERE drains_since IS NOT NULL LIMIT 1';

/** When the sweeps of deliveries have something to do next: a delivery or a probe is due, or an endpoint drains. */
export const nextDeliveryAt = (db: Db): Promise<Date | null> => earliestAt(db, waitingSql, probedSql, drainingSql);
