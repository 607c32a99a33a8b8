import type { UseCaseContext } from '@eas/db';
import { notSent, type OutboundResult, type Send, userAgent } from '@eas/outbound';
import { endpointCell } from '../endpoints/endpoint.ts';
import { type EndpointHeaders, openHeaders } from '../endpoints/endpoint-headers.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { type EventText, payloadBytes } from '../events/payload.ts';
import { signatureHeaders, type SigningKey, signingKey } from './signature.ts';

/** What a request to an endpoint is signed with, the newest secret first, and its own headers. */
export type SendingKeys = { signing: readonly [SigningKey, ...SigningKey[]]; headers: EndpointHeaders };

/** Undefined when they do not open: nothing can be signed, so nothing is sent. */
export function openKeys(
  { secrets, tenantId, logger }: UseCaseContext,
  endpointId: string,
  { secret, previousSecret, headers }: Pick<Target, 'secret' | 'previousSecret' | 'headers'>,
): SendingKeys | undefined {
  const open = (column: 'secret' | 'previous_secret', sealed: string) =>
    signingKey(secrets.open(sealed, endpointCell(tenantId, endpointId, column)));
  try {
    const previous = previousSecret === null ? [] : [open('previous_secret', previousSecret)];
    return {
      signing: [open('secret', secret), ...previous],
      headers: openHeaders({ secrets, tenantId }, endpointId, headers),
    };
  } catch (error) {
    logger.error({ err: error, endpointId }, 'endpoint secret not decryptable, failing its deliveries');
    return undefined;
  }
}

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
