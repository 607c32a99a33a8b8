import type { DbScope } from '@eas/db';

/** An integration of the source host that may call its API. */
export type SourceHostAccount = { integrationId: string; owner: string; repositories: string[] };

/** Those that list repositories come before those of all repositories. */
const accountsSql = `
  SELECT id AS "integrationId", lower(config ->> 'org_name') AS owner, coalesce(config -> 'repositories', '[]') AS repositories
  FROM integrations
  WHERE tenant_id = $1 AND type = 'github' AND token IS NOT NULL AND deleted_at IS NULL AND status <> 'disconnected'
  ORDER BY coalesce(config -> 'repositories', '[]') = '[]', connected_at, id`;

export const readSourceHostAccounts = ({ db, tenantId }: DbScope): Promise<SourceHostAccount[]> =>
  db.query<SourceHostAccount>(accountsSql, [tenantId]);
