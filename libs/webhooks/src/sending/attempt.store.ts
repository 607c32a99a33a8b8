import { type BatchResult, type Db, rowByKeySql } from '@eas/db';
import { atRowIdSql, rowIdsSql } from '../deliveries/delivery-sql.ts';

/** One POST and what it makes of its delivery. `retryMs`: due again that long after recording; null: settled or held. */
export type AttemptRow = {
  tenant_id: string;
  event_id: string;
  endpoint_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  http_status: number | null;
  outcome: string;
  error: string | null;
  response: string | null;
  url: string;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  body_ms: number | null;
  response_headers: Record<string, string | string[] | undefined> | null;
  is_response_cut: boolean;
  delivery_status: 'delivered' | 'pending' | 'held' | 'dead';
  /** Why it is held or dead. */
  reason: string | null;
  retry_ms: number | null;
};

const recordSql = `
  WITH source AS (
    SELECT * FROM json_to_recordset($1::json) AS s (tenant_id text, event_id text, endpoint_id text, number int,
      started_at timestamptz, duration_ms int, http_status int, outcome text, error text, response text, url text,
      dns_ms int, connect_ms int, tls_ms int, first_byte_ms int, body_ms int, response_headers json,
      is_response_cut bool, delivery_status text, reason text, retry_ms bigint)
  ), found AS MATERIALIZED (${rowIdsSql('source', 'd.attempts = s.number - 1', 'FOR NO KEY UPDATE')}
  ), recorded AS (
    UPDATE deliveries d SET status = found.delivery_status, attempts = found.number, queued_until = NULL,
      sending_until = NULL, next_attempt_at = CASE WHEN found.delivery_status = 'pending'
        THEN app_now() + found.retry_ms * interval '1 millisecond' END,
      settled_at = CASE WHEN found.delivery_status IN ('delivered', 'dead') THEN app_now() END,
      reason = found.reason
    FROM found WHERE ${atRowIdSql('found')}
    RETURNING d.tenant_id, d.event_id, d.endpoint_id
  ), kept AS (
    INSERT INTO attempts (tenant_id, event_id, endpoint_id, number, started_at, duration_ms, status, outcome, error,
      response, url, dns_ms, connect_ms, tls_ms, first_byte_ms, body_ms, response_headers, is_response_cut)
    SELECT tenant_id, event_id, endpoint_id, s.number, s.started_at, s.duration_ms, s.http_status, s.outcome, s.error,
      s.response, s.url, s.dns_ms, s.connect_ms, s.tls_ms, s.first_byte_ms, s.body_ms, s.response_headers,
      s.is_response_cut
    FROM source s JOIN recorded USING (tenant_id, event_id, endpoint_id)
  ), draining AS (
    UPDATE endpoints e SET drains_since = app_now() FROM (
      SELECT o.* FROM (SELECT DISTINCT tenant_id, endpoint_id FROM source WHERE delivery_status = 'held' ORDER BY 1, 2) AS h
      ${rowByKeySql('o', {
        select: 'tenant_id, id',
        from: 'endpoints',
        where: `tenant_id = h.tenant_id AND id = h.endpoint_id AND status <> 'paused' AND drains_since IS NULL`,
        lock: 'FOR NO KEY UPDATE',
      })}
    ) AS o WHERE e.tenant_id = o.tenant_id AND e.id = o.id
  )
  SELECT tenant_id, event_id, endpoint_id FROM recorded`;

/** False: another worker recorded this number first, because this one outlasted its claim; nothing was written. */
export async function recordAttempts(db: Db, items: readonly AttemptRow[]): Promise<BatchResult<boolean>[]> {
  // Rows in key order, so that statements of two processes lock in one order.
  const sorted = [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const recorded = await record(db, sorted);
  const missed = sorted.filter((item) => !recorded.has(keyOf(item)));
  // A row that was changed during the look-up is found at its new ctid.
  if (missed.length > 0) for (const key of await record(db, missed)) recorded.add(key);
  return items.map((item) => ({ ok: true, value: recorded.has(keyOf(item)) }));
}

async function record(db: Db, rows: readonly AttemptRow[]): Promise<Set<string>> {
  return new Set((await db.query<AttemptRow>(recordSql, [JSON.stringify(rows)])).map(keyOf));
}

function keyOf({
  tenant_id,
  event_id,
  endpoint_id,
}: Pick<AttemptRow, 'tenant_id' | 'event_id' | 'endpoint_id'>): string {
  return `${tenant_id} ${event_id} ${endpoint_id}`;
}
