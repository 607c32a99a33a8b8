import { randomBytes } from 'node:crypto';
import type { WebhookResource } from '@eas/contracts';
import { AppError, formatTimestamp, type SealedCell } from '@eas/core';
import type { SealedTable } from '@eas/db';

/** A receiver's address as it is shown. */
export type Endpoint = {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  headerNames: string[];
  /** none or task. */
  ordering: string;
  maxPerSecond: number | null;
  /** One of those of WebhookResource: the database has a constraint. */
  status: string;
  statusReason: string | null;
  statusChangedAt: Date | null;
  failingSince: Date | null;
  failuresInRow: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  previousSecretUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** With what is never shown; `secret`, `previousSecret` and `headers` are sealed. */
export type StoredEndpoint = Endpoint & {
  secret: string;
  previousSecret: string | null;
  headers: string | null;
  probeAt: Date | null;
  probes: number;
};

/** As the interface shows it, with the version that its ETag names. */
export type ShownEndpoint = { body: WebhookResource; version: number };

/** `isChanged` false: it was like that already, and nothing was written. */
export type EndpointChange = ShownEndpoint & { isChanged: boolean };

export function endpointResource(endpoint: Endpoint): WebhookResource {
  const { id, url, description, events } = endpoint;
  return {
    id,
    url,
    description,
    events,
    header_names: endpoint.headerNames,
    ordering: endpoint.ordering as WebhookResource['ordering'],
    max_per_second: endpoint.maxPerSecond,
    status: endpoint.status as WebhookResource['status'],
    status_reason: endpoint.statusReason,
    status_changed_at: timeOrNull(endpoint.statusChangedAt),
    failing_since: timeOrNull(endpoint.failingSince),
    failures_in_row: endpoint.failuresInRow,
    last_success_at: timeOrNull(endpoint.lastSuccessAt),
    last_failure_at: timeOrNull(endpoint.lastFailureAt),
    previous_secret_until: timeOrNull(endpoint.previousSecretUntil),
    created_at: formatTimestamp(endpoint.createdAt),
    updated_at: formatTimestamp(endpoint.updatedAt),
  };
}

export const timeOrNull = (time: Date | null): string | null => time && formatTimestamp(time);

export const shown = (endpoint: Endpoint): ShownEndpoint => ({
  body: endpointResource(endpoint),
  version: endpoint.version,
});

const secretPrefix = 'whsec_';

/** A secret for a client without one: 32 random bytes in the form of Standard Webhooks. */
export function makeSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

export type SealedColumn = 'secret' | 'previous_secret' | 'headers';

export function endpointCell(tenantId: string, endpointId: string, column: SealedColumn): SealedCell {
  return { tenantId, table: 'endpoints', column, rowId: endpointId };
}

/** What `reseal` seals again. */
export const sealedEndpoints: SealedTable<SealedColumn> = {
  table: 'endpoints',
  ids: ['id'],
  columns: ['secret', 'previous_secret', 'headers'],
  cellOf: (tenantId, [id = ''], column) => endpointCell(tenantId, id, column),
};

export const noEndpoint = () => new AppError('not_found', { message: 'The webhook does not exist.' });
