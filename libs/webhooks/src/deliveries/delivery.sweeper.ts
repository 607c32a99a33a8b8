import type { Send } from '@eas/contracts';
import type { Db } from '@eas/db';
import { dueAndFreeSql, dueInHandSql } from './delivery-sql.ts';
import { sendJobs } from './send-jobs.ts';
import { maxInHand, maxQueuedAtOnce, queuedMs } from './sending-limits.ts';

/** Rows that one sweep looks at. */
const sweepLimit = 2_000;

const sweepSql = `
  WITH full_endpoints AS (
    SELECT d.tenant_id, d.endpoint_id FROM deliveries d WHERE ${dueInHandSql('d')}
    GROUP BY d.tenant_id, d.endpoint_id HAVING count(*) >= ${maxInHand}
  ), due AS (
    SELECT d.tenant_id, d.event_id, d.endpoint_id, d.next_attempt_at FROM deliveries d
    WHERE ${dueAndFreeSql('d')} AND NOT EXISTS (
      SELECT FROM full_endpoints f WHERE f.tenant_id = d.tenant_id AND f.endpoint_id = d.endpoint_id)
    ORDER BY d.next_attempt_at LIMIT ${sweepLimit} FOR UPDATE OF d SKIP LOCKED
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY tenant_id, endpoint_id ORDER BY next_attempt_at, event_id) AS place FROM due
  ), queued AS (
    UPDATE deliveries d SET queued_until = app_now() + interval '${queuedMs} milliseconds' FROM placed p
    WHERE p.place <= ${maxQueuedAtOnce}
      AND d.tenant_id = p.tenant_id AND d.event_id = p.event_id AND d.endpoint_id = p.endpoint_id
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
