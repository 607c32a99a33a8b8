import { columnOf, type DbScope } from '@eas/db';
import { type DayRollup, dayRollupsSql } from '../facts/recount.read-model.ts';
import { rollupFields } from '../facts/rollup.ts';

const readSql = `SELECT ${dayRollupsSql} FROM analytics_recounted WHERE tenant_id = $1`;

/** What the tasks that are counted so far add to the days that are not compared yet. */
export function readRecounted({ db, tenantId }: DbScope): Promise<DayRollup[]> {
  return db.query<DayRollup>(readSql, [tenantId]);
}

const columns = rollupFields.map(columnOf);
const writeSql = (table: string) => `
  INSERT INTO ${table} (tenant_id, day, role, ${columns.join(', ')})
  SELECT $1, day, role, ${rollupFields.map((field) => `"${field}"`).join(', ')} FROM json_to_recordset($2::json) AS r (
    day date, role text, ${rollupFields.map((field) => `"${field}" bigint`).join(', ')})
  ON CONFLICT (tenant_id, day, role) DO UPDATE SET
    ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`;
const removeSql = 'DELETE FROM analytics_recounted WHERE tenant_id = $1';
const addSql = writeSql('analytics_recounted');

/** Replaces it. From then on the facts of these tasks move it; needs the lock of the tenant. */
export async function replaceRecounted({ db, tenantId }: DbScope, rollups: readonly DayRollup[]): Promise<void> {
  await db.query(removeSql, [tenantId]);
  if (rollups.length > 0) await db.query(addSql, [tenantId, JSON.stringify(rollups)]);
}

const correctSql = writeSql('analytics_daily_rollups');

/** Replaces roll-ups; needs the lock of the tenant. */
export async function correctRollups({ db, tenantId }: DbScope, rollups: readonly DayRollup[]): Promise<void> {
  if (rollups.length > 0) await db.query(correctSql, [tenantId, JSON.stringify(rollups)]);
}
