import type { DeliveryListQuery, Page, PageOfItems } from '@eas/contracts';
import { idLowerBound } from '@eas/core';
import { type Condition, type DbScope, equals, fetchPage, type ListSource, within } from '@eas/db';
import { isListedSql } from '../events/event.read-model.ts';
import type { Delivery } from './delivery.ts';

/** Looked up for each row that is shown: a join would be planned by the sizes of the tables. */
const eventTypeSql = `(
  SELECT e.event_type FROM events e WHERE e.tenant_id = d.tenant_id AND e.event_id = d.event_id LIMIT 1)`;

const lastAttemptSql = `(
  SELECT json_build_object('status', a.status, 'outcome', a.outcome) FROM attempts a
  WHERE a.tenant_id = d.tenant_id AND a.event_id = d.event_id AND a.endpoint_id = d.endpoint_id
  ORDER BY a.number DESC LIMIT 1)`;

const columns = `
  endpoint_id AS "endpointId", event_id AS "eventId", ${eventTypeSql} AS "eventType", status, reason, attempts,
  ${lastAttemptSql} AS "lastAttempt", next_attempt_at AS "nextAttemptAt", created_at AS "createdAt", settled_at AS "settledAt"`;

/** An endpoint has one delivery of an event: the event's id identifies it, and is in the order of the index. */
const source: ListSource = {
  from: `(SELECT tenant_id, endpoint_id, event_id, event_id AS id, id AS delivery_id, status, reason, attempts,
    next_attempt_at, created_at, settled_at FROM deliveries) AS d`,
  columns: `id, delivery_id AS "deliveryId", ${columns}`,
  countFrom: 'deliveries',
  sortable: { event_id: { sql: 'id', type: 'text' } },
};

export type DeliveryFilter = Omit<DeliveryListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

function conditionsOf(endpointId: string, filter: DeliveryFilter): Condition[] {
  const { event_type: type, created_after: from, created_before: before, ...equal } = filter;
  const ofType = (type: string) =>
    `event_id IN (SELECT event_id FROM events WHERE tenant_id = $1 AND event_type = ${type} AND ${isListedSql})`;
  return [
    within({ sql: (id) => `endpoint_id = ${id}`, value: endpointId }),
    ...Object.entries(equal).map(([field, value]) => equals(field, value)),
    { sql: ofType, value: type },
    { sql: (at) => `created_at >= ${at}`, value: from },
    { sql: (at) => `created_at < ${at}`, value: before },
    // A delivery is made after its event: the range of the index ends there.
    { sql: (id) => `event_id < ${id}`, value: before && idLowerBound('event', Math.max(0, before.getTime())) },
  ];
}

export async function pageDeliveries(
  scope: DbScope,
  endpointId: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<PageOfItems<Delivery>> {
  const after = page.after?.startsWith(deliveryPrefix) ? await eventOf(scope, endpointId, page.after) : page.after;
  return fetchPage<Delivery & { id: string }>(scope, source, conditionsOf(endpointId, filter), { ...page, after });
}

const deliveryPrefix = 'dlv_';
const eventSql = 'SELECT event_id AS "eventId" FROM deliveries WHERE tenant_id = $1 AND id = $2 AND endpoint_id = $3';

/** The event of an endpoint's delivery; the id as it came for one that it does not have. */
async function eventOf({ db, tenantId }: DbScope, endpointId: string, id: string): Promise<string> {
  const [delivery] = await db.query<{ eventId: string }>(eventSql, [tenantId, id, endpointId]);
  return delivery?.eventId ?? id;
}

const oneSql = `
  SELECT id AS "deliveryId", ${columns}
  FROM deliveries d WHERE tenant_id = $1 AND id = $2 LIMIT 1`;

export async function findDelivery({ db, tenantId }: DbScope, id: string): Promise<Delivery | undefined> {
  const [delivery] = await db.query<Delivery>(oneSql, [tenantId, id]);
  return delivery;
}
