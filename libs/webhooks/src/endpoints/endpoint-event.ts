import { append, type Tx } from '@eas/db';
import { type Endpoint, timeOrNull } from './endpoint.ts';
import { maskedUrl } from './masked-url.ts';

type HealthEvent = {
  type: 'webhook.failing' | 'webhook.paused' | 'webhook.disabled' | 'webhook.recovered';
  /** With its status after the change, and the failures before it. */
  endpoint: Pick<Endpoint, 'id' | 'url' | 'status' | 'failingSince' | 'failuresInRow'>;
  reason: string | null;
  at: Date;
};

/** Reports a change of an endpoint's status. The endpoint itself does not get the event. */
export function appendHealthEvent(tx: Tx, { type, endpoint, reason, at }: HealthEvent): void {
  const { id, url, status, failingSince, failuresInRow } = endpoint;
  const failures = { failing_since: timeOrNull(failingSince), failures_in_row: failuresInRow };
  append(tx, { type, at, data: { webhook_id: id, url: maskedUrl(url), status, reason, ...failures }, facts: null });
}
