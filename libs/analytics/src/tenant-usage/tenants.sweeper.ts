import type { Db } from '@eas/db';

const tenantsSql =
  'SELECT tenant_id AS "tenantId" FROM analytics_tenants WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2';

/** The tenants after one, in the order of their ids. */
export async function listTenantsAfter(db: Db, after: string, limit: number): Promise<string[]> {
  return (await db.query<{ tenantId: string }>(tenantsSql, [after, limit])).map(({ tenantId }) => tenantId);
}

const isStorageKnownSql = `
  SELECT 1 FROM tenant_usage WHERE month = date_trunc('month', $1::date) AND storage_on = $1::date LIMIT 1`;

/** Whether the bytes of tenants are recorded for a day. */
export async function isStorageKnown(db: Db, day: string): Promise<boolean> {
  return (await db.query(isStorageKnownSql, [day])).length > 0;
}

const storageSql = `
  INSERT INTO tenant_usage AS u (tenant_id, month, storage_bytes, storage_byte_days, storage_days, storage_on)
  SELECT t.tenant_id, date_trunc('month', $1::date), coalesce(s.bytes, 0), coalesce(s.bytes, 0), 1, $1::date
  FROM analytics_tenants t LEFT JOIN unnest($2::text[], $3::bigint[]) AS s (tenant_id, bytes) ON s.tenant_id = t.tenant_id
  ORDER BY t.tenant_id
  ON CONFLICT (tenant_id, month) DO UPDATE SET storage_bytes = excluded.storage_bytes,
    storage_byte_days = u.storage_byte_days + excluded.storage_bytes, storage_days = u.storage_days + 1,
    storage_on = excluded.storage_on, updated_at = app_now()
  WHERE u.closed_at IS NULL AND (u.storage_on IS NULL OR u.storage_on < excluded.storage_on)`;

/** Records the bytes of all tenants for a day (YYYY-MM-DD), once; those that are not named have none. */
export async function recordStorage(db: Db, day: string, bytes: ReadonlyMap<string, number>): Promise<void> {
  await db.query(storageSql, [day, [...bytes.keys()], [...bytes.values()]]);
}
