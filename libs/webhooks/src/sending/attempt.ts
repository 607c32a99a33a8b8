import type { OutboundPhases, OutboundResult } from '@eas/outbound';
import type { AttemptRow } from './attempt.store.ts';
import type { Verdict } from './verdict.ts';

export type Attempt = { number: number; startedAt: Date; result: OutboundResult; verdict: Verdict };

const noPhases: OutboundPhases = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, bodyMs: null };

/** The row of an attempt: the response, and the next state of the delivery. */
export function attemptRow(
  { tenantId, eventId, endpointId, url }: { tenantId: string; eventId: string; endpointId: string; url: string },
  { number, startedAt, result, verdict }: Attempt,
): AttemptRow {
  const response = result.kind === 'response' ? result : undefined;
  const { dnsMs, connectMs, tlsMs, firstByteMs, bodyMs } = result.phases ?? noPhases;
  return {
    tenant_id: tenantId,
    event_id: eventId,
    endpoint_id: endpointId,
    number,
    started_at: startedAt,
    duration_ms: result.durationMs,
    http_status: response?.status ?? null,
    outcome: outcomeOf(result),
    error: result.kind === 'failure' ? result.message : null,
    response: response ? storableText(response.body.toString('utf8')) : null,
    url,
    dns_ms: dnsMs,
    connect_ms: connectMs,
    tls_ms: tlsMs,
    first_byte_ms: firstByteMs,
    body_ms: bodyMs,
    // Those of a success are not needed.
    response_headers: response && verdict.kind !== 'delivered' ? storableHeaders(response.headers) : null,
    is_response_cut: response?.isBodyCut ?? false,
    delivery_status: verdict.kind === 'retry_at' ? 'pending' : verdict.kind,
    reason: reasonOf(verdict),
    retry_ms: verdict.kind === 'retry_at' ? verdict.delayMs : null,
  };
}

function reasonOf(verdict: Verdict): string | null {
  if (verdict.kind === 'held') return 'webhook_failing';
  if (verdict.kind !== 'dead') return null;
  return verdict.disablesEndpoint ? 'webhook_disabled' : 'tries_exhausted';
}

/** delivered, redirect, http_4xx, http_5xx, or the reason why there was no response. */
export function outcomeOf(result: OutboundResult): string {
  if (result.kind === 'failure') return result.reason;
  if (result.status < 300) return 'delivered';
  if (result.status < 400) return 'redirect';
  return result.status < 500 ? 'http_4xx' : 'http_5xx';
}

function storableHeaders(headers: Record<string, string | string[] | undefined>) {
  return JSON.parse(storableText(JSON.stringify(headers).replaceAll('\\u0000', '\\ufffd'))) as typeof headers;
}

/** As text that Postgres takes: it knows no U+0000. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
