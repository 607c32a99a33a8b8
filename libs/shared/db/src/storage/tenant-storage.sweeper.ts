import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../connection/db.ts';

/** Pages of a table or partition that are read, chosen by chance; one with fewer is read as a whole. */
const pagesOfTable = 1_000;
/** Between two tables, for other work. */
const pauseMs = 50;

type Sampled = {
  /** As SQL names it. */
  table: string;
  pages: number;
  /** With its indexes and large values. */
  bytes: number;
  /** SQL: bytes of the values of a row, as they are stored. Those of large values are known without reading them. */
  rowBytes: string;
};

const tablesSql = `
  SELECT c.oid::regclass::text AS table, pg_relation_size(c.oid)::float8 / current_setting('block_size')::int AS pages,
    pg_total_relation_size(c.oid)::float8 AS bytes, (
      SELECT string_agg(format('coalesce(pg_column_size(%I), 0)', a.attname), ' + ') FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS "rowBytes"
  FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'tenant_id' AND NOT t.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND pg_relation_size(c.oid) > 0
  ORDER BY c.relname`;

/** Bytes of the header of a row, and of its place on the page. */
const headerBytes = 28;

const sampleSql = ({ table, pages, rowBytes }: Sampled, mostPages: number) => `
  SELECT tenant_id AS "tenantId", sum(${headerBytes} + ${rowBytes})::float8 AS bytes
  FROM ${table} TABLESAMPLE SYSTEM (${Math.min(100, (100 * mostPages) / pages)}) GROUP BY tenant_id`;

/**
 * Estimates how many bytes of the database each tenant takes up: its share of the rows of some pages of each table, and
 * so of the table with its indexes. Undefined: the signal ended it.
 */
export async function sampleStorage(
  { db }: { db: Db },
  signal?: AbortSignal,
  mostPages = pagesOfTable,
): Promise<Map<string, number> | undefined> {
  const bytesOf = new Map<string, number>();
  for (const sampled of await db.query<Sampled>(tablesSql)) {
    if (signal?.aborted) return undefined;
    const rows = await db.query<{ tenantId: string; bytes: number }>(sampleSql(sampled, mostPages), [], unprepared);
    const all = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { tenantId, bytes } of rows)
      bytesOf.set(tenantId, (bytesOf.get(tenantId) ?? 0) + (bytes / all) * sampled.bytes);
    await pause(pauseMs);
  }
  return new Map([...bytesOf].map(([tenantId, bytes]) => [tenantId, Math.round(bytes)]));
}

const unprepared = { isPrepared: false };
