import { maxInHand, maxQueuedAtOnce } from './sending-limits.ts';

/** In-hand deliveries are looked for among that many of the oldest due ones: those are queued first. */
const headRows = 2 * maxQueuedAtOnce;

/**
 * How many due deliveries of an endpoint a job carries or a worker sends right now, counted up to `maxInHand`. Only the
 * head of the backlog is read, however long it is; an index on what is in hand would cost every claim its cheap update.
 */
export const inHandCountSql = (tenantId: string, endpointId: string) => `(
  SELECT count(*) FROM (
    SELECT FROM (
      SELECT b.queued_until, b.sending_until FROM deliveries b
      WHERE b.tenant_id = ${tenantId} AND b.endpoint_id = ${endpointId}
        AND b.status = 'pending' AND b.next_attempt_at <= app_now()
      ORDER BY b.next_attempt_at LIMIT ${headRows}
    ) AS head
    WHERE head.queued_until > app_now() OR head.sending_until > app_now() LIMIT ${maxInHand}
  ) AS in_hand)`;

/** Due deliveries that nobody takes care of: never queued, their job was lost, or their worker died. */
export const dueAndFreeSql = (table: string) =>
  `${table}.status = 'pending' AND ${table}.next_attempt_at <= app_now()
   AND (${table}.queued_until IS NULL OR ${table}.queued_until <= app_now())
   AND (${table}.sending_until IS NULL OR ${table}.sending_until <= app_now())`;
