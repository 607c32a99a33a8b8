import type { NameResource } from '@eas/contracts';
import type { DbScope } from '@eas/db';

const callers = [
  { kind: 'user', table: 'users', removedAt: 'deleted_at' },
  { kind: 'api_key', table: 'api_keys', removedAt: 'revoked_at' },
  { kind: 'oauth_client', table: 'oauth_clients', removedAt: 'deleted_at' },
] as const;

const namesSql = callers
  .map(
    ({ kind, table, removedAt }) =>
      `SELECT id, '${kind}' AS kind, name, ${removedAt} IS NOT NULL AS is_removed FROM ${table}
      WHERE tenant_id = $1 AND id = ANY($2)`,
  )
  .join(' UNION ALL ');

/** Of users, keys and clients, removed ones too: the rows stay. */
export const findCallerNames = ({ db, tenantId }: DbScope, ids: readonly string[]): Promise<NameResource[]> =>
  db.query<NameResource>(namesSql, [tenantId, ids]);
