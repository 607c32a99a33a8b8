import { type Consumer, maxEventDeliveries } from '@eas/contracts';
import { type DbScope, firstRowsSql, rowByKeySql } from '@eas/db';

/** An endpoint as it concerns one event. What begins with the delivery is null without one. */
export type EventEndpoint = {
  endpointId: string;
  subscriptions: string[];
  endpointStatus: string;
  statusReason: string | null;
  isDeleted: boolean;
  createdAt: Date;
  nextSendAt: Date | null;
  deliveryId: string | null;
  status: string | null;
  reason: string | null;
  attempts: number | null;
  triesFrom: number | null;
  nextAttemptAt: Date | null;
  lastStatus: number | null;
  lastOutcome: string | null;
  /** The event has not been matched with endpoints yet. */
  isFanOutPending: boolean;
};

const ofEndpoint = 'tenant_id = $1 AND event_id = $2 AND endpoint_id = p.id';
const lastAttempt = { select: 'status, outcome', from: 'attempts', where: ofEndpoint, orderBy: 'number DESC' };

const follower = 'fan_out.follow' satisfies Consumer;
const alone = 'event.fan_out' satisfies Consumer;

/** It has no number yet (older ones have lost theirs), its number was not read yet, or it failed with others. */
const isFanOutPendingSql = `(
    EXISTS (SELECT FROM outbox o WHERE o.tenant_id = $1 AND o.event_id = $2 AND o.consumer = '${alone}')
    OR coalesce(
      (SELECT coalesce(n.number > c.number, false) FROM event_numbers n
        LEFT JOIN event_cursors c ON c.tenant_id = n.tenant_id AND c.consumer = '${follower}'
        WHERE n.tenant_id = $1 AND n.event_id = $2),
      $2 > coalesce((SELECT event_id FROM event_numbers WHERE tenant_id = $1 ORDER BY number LIMIT 1), ''))
  )`;

const endpointsSql = `
  SELECT p.id AS "endpointId", p.events AS subscriptions, p.status AS "endpointStatus",
    p.status_reason AS "statusReason", p.deleted_at IS NOT NULL AS "isDeleted", p.created_at AS "createdAt",
    p.next_send_at AS "nextSendAt", d.id AS "deliveryId", d.status, d.reason, d.attempts, d.tries_from AS "triesFrom",
    d.next_attempt_at AS "nextAttemptAt", a.status AS "lastStatus", a.outcome AS "lastOutcome",
    ${isFanOutPendingSql} AS "isFanOutPending"
  FROM (
    SELECT * FROM endpoints
    WHERE tenant_id = $1 AND (deleted_at IS NULL
      OR id IN (SELECT endpoint_id FROM deliveries WHERE tenant_id = $1 AND event_id = $2))
    ORDER BY created_at, id LIMIT ${maxEventDeliveries}
  ) AS p
  ${rowByKeySql('d', { from: 'deliveries', where: ofEndpoint, outer: true })}
  ${firstRowsSql('a', { ...lastAttempt, outer: true })}
  ORDER BY p.created_at, p.id`;

/** The tenant's endpoints, oldest first; deleted ones only if the event was for them. */
export function listEventEndpoints({ db, tenantId }: DbScope, eventId: string): Promise<EventEndpoint[]> {
  return db.query<EventEndpoint>(endpointsSql, [tenantId, eventId]);
}
