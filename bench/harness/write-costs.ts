import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@eas/db';

/** What Postgres has written. WAL without the full pages that follow a checkpoint. */
export type WriteCosts = {
  inserted: number;
  updated: number;
  deleted: number;
  /** Updates that needed no new index entries; part of `updated`. */
  hot: number;
  indexInsertions: number;
  walBytes: number;
};

type TableWrites = Pick<WriteCosts, 'inserted' | 'updated' | 'deleted' | 'hot'> & { table: string };

export type Written = WriteCosts & { tables: readonly TableWrites[] };

const tablesSql = `
  SELECT schemaname || '.' || relname AS table, n_tup_ins::int AS inserted, n_tup_upd::int AS updated,
    n_tup_del::int AS deleted, n_tup_hot_upd::int AS hot
  FROM pg_stat_user_tables`;

const positionSql = 'SELECT pg_current_wal_flush_lsn()::text AS position';

const walSql = `
  SELECT coalesce(sum(record_size), 0)::float8 AS "walBytes",
    coalesce(sum(count) FILTER (WHERE "resource_manager/record_type" ~ '^(Btree/(INSERT_LEAF|INSERT_POST|SPLIT_)|Gist/PAGE_|Gin/INSERT)'), 0)::float8
      AS "indexInsertions"
  FROM pg_get_wal_stats($1::pg_lsn, $2::pg_lsn, true)`;

/** Backends tell what they have written ten seconds after they became idle. */
const statisticsMs = 11_000;

type Mark = { position: string; tables: ReadonlyMap<string, TableWrites> };

async function mark(db: Db): Promise<Mark> {
  await sleep(statisticsMs);
  const rows = await db.query<TableWrites>(tablesSql);
  const [wal] = await db.query<{ position: string }>(positionSql);
  return { position: wal?.position ?? '0/0', tables: new Map(rows.map((row) => [row.table, row])) };
}

/** All that is written to the database while `work` runs and within the seconds after it, tables with most first. */
export async function writesOf(db: Db, work: () => Promise<void>): Promise<Written> {
  await db.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const before = await mark(db);
  await work();
  const after = await mark(db);
  const [wal] = await db.query<Pick<WriteCosts, 'walBytes' | 'indexInsertions'>>(walSql, [
    before.position,
    after.position,
  ]);
  const tables = [...after.tables.values()]
    .map((row) => minus(row, before.tables.get(row.table)))
    .filter((row) => rowsOf(row) > 0)
    .sort((a, b) => rowsOf(b) - rowsOf(a));
  const sum = (name: 'inserted' | 'updated' | 'deleted' | 'hot') => tables.reduce((total, row) => total + row[name], 0);
  return {
    inserted: sum('inserted'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    hot: sum('hot'),
    indexInsertions: wal?.indexInsertions ?? NaN,
    walBytes: wal?.walBytes ?? NaN,
    tables,
  };
}

/** Rows inserted, updated and deleted. */
export const rowsOf = ({ inserted, updated, deleted }: Pick<WriteCosts, 'inserted' | 'updated' | 'deleted'>) =>
  inserted + updated + deleted;

function minus(row: TableWrites, earlier: TableWrites | undefined): TableWrites {
  return {
    table: row.table,
    inserted: row.inserted - (earlier?.inserted ?? 0),
    updated: row.updated - (earlier?.updated ?? 0),
    deleted: row.deleted - (earlier?.deleted ?? 0),
    hot: row.hot - (earlier?.hot ?? 0),
  };
}
