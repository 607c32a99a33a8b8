import { notSent, type OutboundResult, type Send, userAgent } from '@eas/outbound';
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
  if (!keys) return notSent('secret', 'The secret of the endpoint cannot be decrypted.');
  const body = payloadBytes(event);
  const headers = {
    ...keys.headers,
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...signatureHeaders(keys.signing, { eventId: event.eventId, body, at }),
  };
  return send({ method: 'POST', url, headers, body, signal });
}
