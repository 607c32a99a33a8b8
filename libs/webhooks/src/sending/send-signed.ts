import type { OutboundResult, Send } from '@eas/outbound';
import type { SendingKeys } from './sending-keys.ts';
import { type EventText, payloadBytes } from '../events/payload.ts';
import { signatureHeaders } from './signature.ts';

type SignedRequest = {
  event: EventText;
  url: string;
  /** Undefined: they do not open, and nothing is sent. */
  keys: SendingKeys | undefined;
  at: Date;
  signal: AbortSignal;
};

/** POSTs an event with its signatures and the endpoint's own headers. */
export async function sendSigned(send: Send, { event, url, keys, at, signal }: SignedRequest): Promise<OutboundResult> {
  if (!keys) return secretFailure;
  const body = payloadBytes(event);
  const headers = {
    ...keys.headers,
    'content-type': 'application/json',
    'user-agent': 'engineering-agent-service',
    ...signatureHeaders(keys.signing, { eventId: event.eventId, body, at }),
  };
  return send({ method: 'POST', url, headers, body, signal });
}

const secretFailure: OutboundResult = {
  kind: 'failure',
  reason: 'secret',
  message: 'The secret of the endpoint cannot be decrypted.',
  durationMs: 0,
};
