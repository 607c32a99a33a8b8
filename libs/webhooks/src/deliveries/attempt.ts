import type { AttemptRow } from './attempt.store.ts';
import type { WebhookResult } from './transport.ts';
import type { Verdict } from './verdict.ts';

export type Attempt = { number: number; startedAt: Date; result: WebhookResult; verdict: Verdict };

/** The row of an attempt: what came back, and what becomes of the delivery. */
export function attemptRow(
  { tenantId, eventId, endpointId }: { tenantId: string; eventId: string; endpointId: string },
  { number, startedAt, result, verdict }: Attempt,
): AttemptRow {
  const isAnswered = result.kind === 'response';
  return {
    tenant_id: tenantId,
    event_id: eventId,
    endpoint_id: endpointId,
    number,
    started_at: startedAt,
    duration_ms: result.durationMs,
    http_status: isAnswered ? result.status : null,
    outcome: outcomeOf(result, verdict),
    error: isAnswered ? null : result.message,
    response: isAnswered ? storableText(result.body) : null,
    delivery_status: verdict.kind === 'retry_at' ? 'pending' : verdict.kind,
    retry_ms: verdict.kind === 'retry_at' ? verdict.delayMs : null,
  };
}

/** delivered, http_status, or the reason why no response came. */
function outcomeOf(result: WebhookResult, verdict: Verdict): string {
  if (verdict.kind === 'delivered') return 'delivered';
  return result.kind === 'response' ? 'http_status' : result.reason;
}

/** The response as text that Postgres takes: it knows no U+0000. */
function storableText(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
