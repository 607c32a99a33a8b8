import type { Tx } from '@eas/db';
import { dueAgainSql } from './due-again-sql.ts';

/** The data that decides whether a delivery can be resent. */
export type StoredDelivery = {
  eventId: string;
  endpointId: string;
  isSending: boolean;
  isOpen: boolean;
  hasEvent: boolean;
};

const lockSql = `
  SELECT d.event_id AS "eventId", d.endpoint_id AS "endpointId",
    coalesce(d.sending_until > app_now(), false) AS "isSending",
    EXISTS (SELECT FROM endpoints p WHERE p.tenant_id = $1 AND p.id = d.endpoint_id
      AND p.status <> 'disabled' AND p.deleted_at IS NULL) AS "isOpen",
    EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.event_id = d.event_id) AS "hasEvent"
  FROM deliveries d WHERE d.tenant_id = $1 AND d.id = $2 LIMIT 1 FOR NO KEY UPDATE OF d`;

/** Locks the delivery until the transaction ends: no worker can claim it or record an attempt. */
export async function lockDelivery({ db, tenantId }: Tx, id: string): Promise<StoredDelivery | undefined> {
  const [delivery] = await db.query<StoredDelivery>(lockSql, [tenantId, id]);
  return delivery;
}

const resendSql = `
  UPDATE deliveries d SET ${dueAgainSql} FROM endpoints p
  WHERE d.tenant_id = $1 AND d.event_id = $2 AND d.endpoint_id = $3 AND p.tenant_id = $1 AND p.id = $3`;

export async function setDueAgain(
  { db, tenantId }: Tx,
  { eventId, endpointId }: Pick<StoredDelivery, 'eventId' | 'endpointId'>,
): Promise<void> {
  await db.query(resendSql, [tenantId, eventId, endpointId]);
}
