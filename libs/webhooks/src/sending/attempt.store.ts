import { type BatchResult, type Db, rowByKeySql } from '@eas/db';
import type { OutboundPhases } from '@eas/outbound';
import { atRowIdSql, rowIdsSql } from '../deliveries/delivery-sql.ts';
import type { DeliveryAttempt, DeliveryVerdict } from './verdict.ts';

const noPhases: OutboundPhases = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, bodyMs: null };

/** What a delivery is after an attempt. */
const statuses = { sent: 'delivered', waiting: 'pending', held: 'held', failed: 'dead' } as const;

export type AttemptRow = ReturnType<typeof attemptRow>;

/** The row of an attempt: the response, and the next state of the delivery, due again `retry_ms` after recording. */
export function attemptRow(
  { tenantId, eventId, endpointId, url }: { tenantId: string; eventId: string; endpointId: string; url: string },
  { claimed: { attempts }, startedAt, response: { result }, verdict }: DeliveryAttempt,
) {
  const response = result.kind === 'response' ? result : undefined;
  const { dnsMs, connectMs, tlsMs, firstByteMs, bodyMs } = result.phases ?? noPhases;
  return {
    tenant_id: tenantId,
    event_id: eventId,
    endpoint_id: endpointId,
    number: attempts + 1,
    started_at: startedAt,
    duration_ms: result.durationMs,
    http_status: response?.status ?? null,
    outcome: verdict.outcome,
    error: result.kind === 'failure' ? result.message : null,
    response: response ? storableText(response.body.toString('utf8')) : null,
    url,
    dns_ms: dnsMs,
    connect_ms: connectMs,
    tls_ms: tlsMs,
    first_byte_ms: firstByteMs,
    body_ms: bodyMs,
    // Those of a success are not needed.
    response_headers: response && verdict.state !== 'sent' ? storableHeaders(response.headers) : null,
    is_response_cut: response?.isBodyCut ?? false,
    delivery_status: statuses[verdict.state],
    reason: reasonOf(verdict),
    retry_ms: verdict.afterMs ?? null,
  };
}

function reasonOf({ state, isGone }: DeliveryVerdict): string | null {
  if (state === 'held') return 'webhook_failing';
  if (state !== 'failed') return null;
  return isGone ? 'webhook_disabled' : 'tries_exhausted';
}

function storableHeaders(headers: Record<string, string | string[] | undefined>) {
  return JSON.parse(storableText(JSON.stringify(headers).replaceAll('\\u0000', '\\ufffd'))) as typeof headers;
}

/** As text that Postgres takes: it knows no U+0000. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

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

const keyOf = ({ tenant_id, event_id, endpoint_id }: Pick<AttemptRow, 'tenant_id' | 'event_id' | 'endpoint_id'>) =>
  `${tenant_id} ${event_id} ${endpoint_id}`;
