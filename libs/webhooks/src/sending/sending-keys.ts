import type { UseCaseContext } from '@eas/db';
import { endpointCell } from '../endpoints/endpoint.ts';
import { type EndpointHeaders, openHeaders } from '../endpoints/endpoint-headers.ts';
import type { Target } from '../endpoints/endpoint.read-model.ts';
import { type SigningKey, signingKey } from './signature.ts';

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
