import type { DeliveryAttempt } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { maskedUrl } from '../endpoints/masked-url.ts';
import type { ShownAttempt } from './attempt.read-model.ts';

export function attemptResource(attempt: ShownAttempt): DeliveryAttempt {
  return {
    number: attempt.number,
    started_at: formatTimestamp(new Date(attempt.startedAt)),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    outcome: attempt.outcome,
    error: attempt.error,
    url: attempt.url && maskedUrl(attempt.url),
    phases: {
      dns_ms: attempt.dnsMs,
      connect_ms: attempt.connectMs,
      tls_ms: attempt.tlsMs,
      first_byte_ms: attempt.firstByteMs,
      body_ms: attempt.bodyMs,
    },
    response: attempt.response,
    response_headers: attempt.responseHeaders && joinedValues(attempt.responseHeaders),
    is_response_cut: attempt.isResponseCut,
  };
}

function joinedValues(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));
}
