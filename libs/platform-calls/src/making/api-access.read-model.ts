import type { PlatformStatusMeaning, WriteBack } from '@eas/contracts';
import type { DbScope } from '@eas/db';

/** What calls need of an integration. The token is sealed. */
export type ApiAccess = {
  token: string | null;
  statusMap: Record<string, PlatformStatusMeaning> | null;
  teamId: string | null;
  writeBack: WriteBack | null;
};

const accessSql = `
  SELECT token, config -> 'status_map' AS "statusMap", config ->> 'team_id' AS "teamId",
    config -> 'write_back' AS "writeBack"
  FROM integrations WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL AND status <> 'disconnected'`;

/** Undefined: the integration was deleted or switched off. */
export async function findApiAccess({ db, tenantId }: DbScope, id: string): Promise<ApiAccess | undefined> {
  const [row] = await db.query<ApiAccess>(accessSql, [tenantId, id]);
  return row;
}
