import {
  type DbScope,
  eventColumnsSql,
  eventRow,
  type GatheredStatement,
  insertEventsSql,
  rowByKeySql,
  textArray,
} from '@eas/db';
import type { Applied, NewInboundEvent } from './inbound-event.ts';

/** Whether the receipt was new; a repeat is only counted. */
export type StoredReceipt = 'stored' | 'repeated';

/** Bodies come beside the other columns as they were received: they are most of the bytes. */
const insertSql = `
  WITH source AS (
    SELECT * FROM ROWS FROM (
      json_to_recordset($1::json) AS (${eventColumnsSql}, id text, source text, integration_ref text, event text,
        external_id text, dedupe_key text, received_at timestamptz, status text, repeats int),
      unnest($2::text[])
    )
  ), receipts AS (
    INSERT INTO inbound_events AS kept (tenant_id, id, source, integration_ref, event, external_id, dedupe_key, body,
      received_at, status, settled_at, repeats)
    SELECT tenant_id, id, source, integration_ref, event, external_id, dedupe_key, unnest, received_at, status,
      CASE WHEN status <> 'received' THEN received_at END, repeats
    FROM source
    ON CONFLICT (tenant_id, integration_ref, dedupe_key)
    DO UPDATE SET repeats = kept.repeats + 1 + excluded.repeats
    RETURNING tenant_id, id
  ), announced AS (
    SELECT s.* FROM source s JOIN receipts r USING (tenant_id, id) WHERE s.status = 'received'
  ), ${insertEventsSql('announced')}
  SELECT id FROM receipts`;

/** A receipt, and how often it was repeated in the same moment. */
type Counted = { item: NewInboundEvent; key: string; repeats: number };

/** Stores receipts with the event of each new one, as one statement. Repeats are counted on the first receipt. */
export const insertInboundEvents: GatheredStatement<NewInboundEvent, StoredReceipt> = async (db, items, wake) => {
  const counted = sortedByKey(withoutRepeats(items));
  const bodies = textArray(counted.map(({ item }) => item.body));
  const rows = await db.query<{ id: string }>(insertSql, [JSON.stringify(counted.map(receiptRow)), bodies]);
  const stored = new Set(rows.map(({ id }) => id));
  if (stored.size > 0) wake('outbox', '');
  return items.map(({ id }) => ({ ok: true, value: stored.has(id) ? 'stored' : 'repeated' }));
};

/** One statement may not touch a row twice: repeats of one moment travel with the first. */
function withoutRepeats(items: readonly NewInboundEvent[]): Counted[] {
  const byKey = new Map<string, Counted>();
  for (const item of items) {
    const key = `${item.tenantId} ${item.integrationRef} ${item.dedupeKey ?? item.id}`;
    const first = byKey.get(key);
    if (first) first.repeats += 1;
    else byKey.set(key, { item, key, repeats: 0 });
  }
  return [...byKey.values()];
}

/** In the order of the unique key, so that two statements wait for each other and never deadlock. */
const sortedByKey = (counted: Counted[]): Counted[] => counted.sort((a, b) => (a.key < b.key ? -1 : 1));

function receiptRow({ item, repeats }: Counted): Record<string, unknown> {
  return {
    ...eventRow(item.tenantId, {
      type: 'inbound.received',
      at: item.receivedAt,
      data: { inbound_event_id: item.id },
      facts: null,
    }),
    traceparent: item.traceparent,
    id: item.id,
    source: item.source,
    integration_ref: item.integrationRef,
    event: item.event,
    external_id: item.externalId,
    dedupe_key: item.dedupeKey,
    received_at: item.receivedAt.toISOString(),
    status: item.status,
    repeats,
  };
}

export type WaitingReceipt = {
  id: string;
  source: string;
  integrationRef: string;
  event: string;
  externalId: string | null;
  body: string;
  receivedAt: Date;
};

const takeSql = `
  SELECT id, source, integration_ref AS "integrationRef", event, external_id AS "externalId", body,
         received_at AS "receivedAt"
  FROM inbound_events WHERE tenant_id = $1 AND id = ANY ($2) AND status = 'received' ORDER BY id`;

/**
 * Those of the receipts that are not settled yet, oldest first. They are not locked, so repeats that come in
 * meanwhile need not wait: events that were taken from the outbox belong to one worker.
 */
export function takeWaitingReceipts({ db, tenantId }: DbScope, ids: readonly string[]): Promise<WaitingReceipt[]> {
  return db.query<WaitingReceipt>(takeSql, [tenantId, ids]);
}

const byKey = { from: 'inbound_events', where: 'tenant_id = $1 AND id = wanted.id' };

const sizesSql = `
  WITH wanted AS MATERIALIZED (
    SELECT event_id, data ->> 'inbound_event_id' AS id FROM events WHERE tenant_id = $1 AND event_id = ANY ($2)
  )
  SELECT wanted.event_id AS "eventId", coalesce(octet_length(i.body), 0) AS bytes
  FROM wanted ${rowByKeySql('i', byKey)}`;

/** How large the bodies are that the events report. */
export async function readReceiptSizes(
  { db, tenantId }: DbScope,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ eventId: string; bytes: number }>(sizesSql, [tenantId, eventIds]);
  return new Map(rows.map(({ eventId, bytes }) => [eventId, bytes]));
}

const settleSql = `
  WITH source AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS s (id text, status text, outcome text)
  ), sorted AS MATERIALIZED (
    SELECT wanted.id FROM source AS wanted ${rowByKeySql('k', byKey)}
    ORDER BY k.integration_ref, k.dedupe_key COLLATE "C"
  ), locked AS MATERIALIZED (
    SELECT l.id FROM sorted AS wanted
    ${rowByKeySql('l', { ...byKey, where: `${byKey.where} AND status = 'received'`, lock: 'FOR UPDATE' })}
  )
  UPDATE inbound_events i SET status = s.status, outcome = s.outcome, settled_at = app_now()
  FROM source s WHERE i.tenant_id = $1 AND i.id = ANY (ARRAY(SELECT id FROM locked)) AND s.id = i.id
  RETURNING i.integration_ref AS "integrationRef", i.status, i.outcome`;

export type Settlement = Applied & { id: string };

export type Settled = Applied & { integrationRef: string };

/** Writes down what became of receipts that waited, locked in the order in which repeats of them are counted. */
export async function settleReceipts(
  { db, tenantId }: DbScope,
  settlements: readonly Settlement[],
): Promise<Settled[]> {
  if (settlements.length === 0) return [];
  return db.query<Settled>(settleSql, [tenantId, JSON.stringify(settlements)]);
}
