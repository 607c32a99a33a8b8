import { tooLargeMessage, tooLargeWebhookHeaders, tooManyMessage, tooManyWebhookHeaders } from '@eas/contracts';
import type { Violation } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { endpointCell } from './endpoint.ts';

export type EndpointHeaders = Record<string, string>;

export type Sealing = Pick<UseCaseContext, 'secrets' | 'tenantId'>;

/** Null for none. */
export function sealHeaders({ secrets, tenantId }: Sealing, endpointId: string, headers: EndpointHeaders) {
  if (Object.keys(headers).length === 0) return null;
  return secrets.seal(JSON.stringify(headers), endpointCell(tenantId, endpointId, 'headers'));
}

/** Throws when they do not open. */
export function openHeaders({ secrets, tenantId }: Sealing, endpointId: string, sealed: string | null) {
  if (sealed === null) return {};
  return JSON.parse(secrets.open(sealed, endpointCell(tenantId, endpointId, 'headers'))) as EndpointHeaders;
}

/** A header of the patch replaces the one with the same name in any case; null removes it. */
export function mergeHeaders(
  headers: EndpointHeaders,
  patch: Readonly<Record<string, string | null>>,
): EndpointHeaders {
  const replaced = new Set(Object.keys(patch).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  const given = Object.entries(patch).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries([...kept, ...given]);
}

/** What the schema of a patch cannot see: the limits hold for all headers together. */
export function violationsOfHeaders(headers: EndpointHeaders): Violation[] {
  if (tooManyWebhookHeaders(headers)) return [{ field: 'headers', constraint: 'max_length', message: tooManyMessage }];
  if (tooLargeWebhookHeaders(headers)) return [{ field: 'headers', constraint: 'max_size', message: tooLargeMessage }];
  return [];
}
