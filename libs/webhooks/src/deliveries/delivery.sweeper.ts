import type { Send } from '@eas/contracts';
import type { Db } from '@eas/db';
import { dueAndFreeSql, inHandCountSql } from './delivery-sql.ts';
import { sendJobs } from './send-jobs.ts';
import { maxInHand, maxQueuedAtOnce, queuedMs } from './sending-limits.ts';

/** Rows that one sweep queues at most. */
const sweepLimit = 2_000;

// Endpoint by endpoint, so that the backlog of one is never read for the others: its length does not matter.
const sweepSql = `
  WITH RECURSIVE endpoints_waiting AS (
    (SELECT d.tenant_id, d.endpoint_id, d.next_attempt_at FROM deliveries d
     WHERE d.status = 'pending'
       AND EXISTS (SELECT FROM deliveries o WHERE o.status = 'pending' AND o.next_attempt_at <= app_now())
     ORDER BY d.tenant_id, d.endpoint_id, d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM endpoints_waiting w, LATERAL (
      SELECT d.tenant_id, d.endpoint_id, d.next_attempt_at FROM deliveries d
      WHERE d.status = 'pending' AND (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)
      ORDER BY d.tenant_id, d.endpoint_id, d.next_attempt_at LIMIT 1
    ) AS n
  ), oldest AS MATERIALIZED (
    SELECT f.* FROM endpoints_waiting w, LATERAL (
      SELECT d.tenant_id, d.event_id, d.endpoint_id, d.next_attempt_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.endpoint_id = w.endpoint_id AND ${dueAndFreeSql('d')}
      ORDER BY d.next_attempt_at LIMIT ${maxQueuedAtOnce}
    ) AS f
    WHERE w.next_attempt_at <= app_now() AND ${inHandCountSql('w.tenant_id', 'w.endpoint_id')} < ${maxInHand}
    ORDER BY f.next_attempt_at LIMIT ${sweepLimit}
  ), due AS (
    SELECT d.tenant_id, d.event_id, d.endpoint_id FROM oldest o JOIN deliveries d
      ON d.tenant_id = o.tenant_id AND d.event_id = o.event_id AND d.endpoint_id = o.endpoint_id
    WHERE ${dueAndFreeSql('d')} FOR UPDATE OF d SKIP LOCKED
  ), queued AS (
    UPDATE deliveries d SET queued_until = app_now() + interval '${queuedMs} milliseconds' FROM due
    WHERE d.tenant_id = due.tenant_id AND d.event_id = due.event_id AND d.endpoint_id = due.endpoint_id
    RETURNING d.tenant_id, d.endpoint_id, d.event_id
  )
  SELECT tenant_id AS "tenantId", endpoint_id AS "endpointId", event_id AS "eventId" FROM queued
  ORDER BY tenant_id, endpoint_id, event_id`;

/**
 * Finds due deliveries of all tenants that nobody takes care of: waits that ended, what an endpoint had no room for,
 * what a lost job or a dead worker left behind. Marks them as queued and gives the jobs, which must be sent next.
 */
export async function sweepDueDeliveries(db: Db): Promise<Send[]> {
  return sendJobs(await db.query<{ tenantId: string; endpointId: string; eventId: string }>(sweepSql));
}
