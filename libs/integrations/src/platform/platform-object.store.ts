import type { DbScope } from '@eas/db';

/** A copy of what the platform told about a list, folder, space, goal, key result or comment. */
export type PlatformObject = {
  integrationRef: string;
  kind: string;
  externalId: string;
  data: Record<string, unknown>;
  updatedAt: Date;
};

const valuesOf = (tenantId: string, { integrationRef, kind, externalId, data, updatedAt }: PlatformObject) => [
  tenantId,
  integrationRef,
  kind,
  externalId,
  JSON.stringify(data),
  updatedAt,
];

const mergeSql = `
  INSERT INTO platform_objects AS kept (tenant_id, integration_ref, kind, external_id, data, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (tenant_id, integration_ref, kind, external_id)
  DO UPDATE SET data = kept.data || excluded.data, updated_at = excluded.updated_at
  WHERE kept.updated_at <= excluded.updated_at
  RETURNING kind`;

/** Merges newer knowledge into the copy. False: the copy knows something newer and stays as it is. */
export async function mergePlatformObject({ db, tenantId }: DbScope, object: PlatformObject): Promise<boolean> {
  const rows = await db.query(mergeSql, valuesOf(tenantId, object));
  return rows.length > 0;
}

const insertSql = `
  INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING kind`;

/** Keeps an object that never changes. False: it is there already. */
export async function insertPlatformObject({ db, tenantId }: DbScope, object: PlatformObject): Promise<boolean> {
  const rows = await db.query(insertSql, valuesOf(tenantId, object));
  return rows.length > 0;
}
