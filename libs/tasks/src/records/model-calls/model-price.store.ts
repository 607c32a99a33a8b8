import type { DbScope, Tx } from '@eas/db';
import { type KeptPrice, namesOfModel } from './model-price.ts';

const columns = `
  input::float8 AS input, output::float8 AS output, cache_read::float8 AS "cacheRead", cache_write::float8 AS "cacheWrite"`;

/** An exact name comes before beginnings, a long beginning before a short one. */
const findSql = `
  SELECT ${columns} FROM model_prices WHERE tenant_id = $1 AND model = ANY ($2::text[])
  ORDER BY model = $3 DESC, length(model) DESC LIMIT 1`;

/** Undefined: the model has no price. */
export async function findPrice({ db, tenantId }: DbScope, model: string): Promise<KeptPrice | undefined> {
  const [price] = await db.query<KeptPrice>(findSql, [tenantId, namesOfModel(model), model]);
  return price;
}

export type PriceTable = { version: number; updatedAt: Date | null };

const headSql = `SELECT version, updated_at AS "updatedAt" FROM model_price_tables WHERE tenant_id = $1`;
const neverChanged: PriceTable = { version: 0, updatedAt: null };

export async function findPriceTable({ db, tenantId }: DbScope): Promise<PriceTable> {
  const [table] = await db.query<PriceTable>(headSql, [tenantId]);
  return table ?? neverChanged;
}

export function findPrices({ db, tenantId }: DbScope): Promise<(KeptPrice & { model: string })[]> {
  return db.query(`SELECT model, ${columns} FROM model_prices WHERE tenant_id = $1 ORDER BY model`, [tenantId]);
}

const saveHeadSql = `
  INSERT INTO model_price_tables (tenant_id, version, updated_at) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at`;
const saveSql = `
  INSERT INTO model_prices (tenant_id, model, input, output, cache_read, cache_write)
  SELECT $1, model, input, output, "cacheRead", "cacheWrite" FROM json_to_recordset($2::json) AS p (
    model text, input bigint, output bigint, "cacheRead" bigint, "cacheWrite" bigint)
  ORDER BY model
  ON CONFLICT (tenant_id, model) DO UPDATE SET input = excluded.input, output = excluded.output,
    cache_read = excluded.cache_read, cache_write = excluded.cache_write`;

export type PriceChanges = { removed: readonly string[]; set: readonly (KeptPrice & { model: string })[] };

/** Writes a locked table back. */
export async function savePrices(
  { db, tenantId }: Tx,
  { version, updatedAt }: PriceTable,
  { removed, set }: PriceChanges,
): Promise<void> {
  await db.query(saveHeadSql, [tenantId, version, updatedAt]);
  await db.query('DELETE FROM model_prices WHERE tenant_id = $1 AND model = ANY ($2::text[])', [tenantId, removed]);
  await db.query(saveSql, [tenantId, JSON.stringify(set)]);
}
