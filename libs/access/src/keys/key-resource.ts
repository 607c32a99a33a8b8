import type { KeyResource, KeyStatus } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { formatOptional } from '../rules/timestamps.ts';
import type { KeyRow } from './api-key.read-model.ts';

/** The key as it is at that moment. */
export function keyResource(row: KeyRow, at: Date): KeyResource {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last_four: row.lastFour,
    scopes: row.scopes,
    tier: row.tier,
    rate_limit: row.rateLimit,
    agent_id: row.agentId,
    status: statusOf(row, at),
    created_by: row.createdBy,
    created_at: formatTimestamp(row.createdAt),
    updated_at: formatTimestamp(row.updatedAt),
    expires_at: formatOptional(row.expiresAt),
    last_used_at: formatOptional(row.lastUsedAt),
  };
}

function statusOf({ revokedAt, expiresAt }: KeyRow, at: Date): KeyStatus {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= at ? 'expired' : 'active';
}
