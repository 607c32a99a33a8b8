import type { PlatformStatusMeaning } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { Integration } from './integration.ts';

const listSql = `
  SELECT id, type, status, status_reason AS "statusReason", config, connected_at AS "connectedAt"
  FROM integrations WHERE tenant_id = $1 AND deleted_at IS NULL
  ORDER BY connected_at DESC, id DESC LIMIT $2 OFFSET $3`;

/** A page of the tenant's integrations, newest first. */
export function readIntegrations(
  { db, tenantId }: DbScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<Integration[]> {
  return db.query<Integration>(listSql, [tenantId, limit, offset]);
}

const statusMapSql = `
  SELECT id, config -> 'status_map' AS "statusMap" FROM integrations WHERE tenant_id = $1 AND id = ANY ($2)`;

/** The status words that integrations define, by integration. */
export async function readStatusMaps(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<Map<string, Record<string, PlatformStatusMeaning>>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; statusMap: Record<string, PlatformStatusMeaning> | null }>(statusMapSql, [
    tenantId,
    ids,
  ]);
  return new Map(rows.map(({ id, statusMap }) => [id, statusMap ?? {}]));
}
