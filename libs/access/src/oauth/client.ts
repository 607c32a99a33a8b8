import { randomBytes } from 'node:crypto';
import { AppError, formatTimestamp, type SealedCell } from '@eas/core';
import type { ClientResource, Scope, Tier } from '@eas/contracts';
import type { SealedTable } from '@eas/db';

/** A program that may act for people, as shown: without its secret. */
export type OauthClient = {
  id: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  tier: Tier;
  rateLimit: number | null;
  isPublic: boolean;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** A new client secret: 256 random bits after a prefix that secret scanners can find. */
export const generateClientSecret = (): string => `eas_secret_${randomBytes(32).toString('base64url')}`;

export const secretCell = (tenantId: string, clientId: string): SealedCell => ({
  tenantId,
  table: 'oauth_clients',
  column: 'secret',
  rowId: clientId,
});

/** What `reseal` seals again. */
export const sealedClients: SealedTable<'secret'> = {
  table: 'oauth_clients',
  ids: ['id'],
  columns: ['secret'],
  cellOf: (tenantId, [id = '']) => secretCell(tenantId, id),
};

export function clientResource(client: OauthClient): ClientResource {
  const { id, name, redirectUris, scopes, tier, rateLimit, isPublic, createdBy, createdAt, updatedAt } = client;
  return {
    id,
    name,
    redirect_uris: redirectUris,
    scopes,
    tier,
    rate_limit: rateLimit,
    is_public: isPublic,
    created_by: createdBy,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  };
}

export const noClient = (): AppError => new AppError('not_found', { message: 'The client does not exist.' });
