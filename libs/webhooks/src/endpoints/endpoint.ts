import { randomBytes } from 'node:crypto';
import type { WebhookResource } from '@eas/contracts';
import { formatTimestamp, type SealedCell } from '@eas/core';

/** A receiver's address as it is stored; `secret` is sealed. */
export type Endpoint = {
  id: string;
  url: string;
  events: string[];
  secret: string;
  /** One of those of WebhookResource: the database has a constraint. */
  status: string;
  createdAt: Date;
  updatedAt: Date;
};

export function endpointResource({
  id,
  url,
  events,
  status,
  createdAt,
  updatedAt,
}: Omit<Endpoint, 'secret'>): WebhookResource {
  return {
    id,
    url,
    events,
    status: status as WebhookResource['status'],
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  };
}

const secretPrefix = 'whsec_';

/** A secret for a client that brings none: 32 random bytes in the form of Standard Webhooks. */
export function makeSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

export function secretCell(tenantId: string, endpointId: string): SealedCell {
  return { tenantId, table: 'endpoints', column: 'secret', rowId: endpointId };
}
