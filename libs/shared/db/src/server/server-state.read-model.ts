import type { Db } from '../connection/db.ts';

/** What the server says of itself. Ages are in seconds or in transactions. */
export type ServerState = {
  /** The role of the connection, and what it may see of others. */
  role: string;
  seesOthers: boolean;
  seesWal: boolean;
  connections: number;
  /** Without those that are reserved for superusers. */
  maxConnections: number;
  oldestSeconds: { session: number; prepared: number };
  heldBack: { session: number; prepared: number; slot: number; standby: number };
  unfrozen: { transaction: number; multixact: number };
  freezeAt: { transaction: number; multixact: number };
};

const seesWalSql = `has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS "seesWal"`;

/** One row, from views that have as many rows as there are connections, slots and databases. */
const stateSql = `
  SELECT current_user::text AS role, pg_has_role('pg_read_all_stats', 'USAGE') AS "seesOthers",
    ${seesWalSql},
    count(*) FILTER (WHERE a.datid IS NOT NULL)::int AS connections,
    (SELECT sum(setting::int * CASE name WHEN 'max_connections' THEN 1 ELSE -1 END) FROM pg_settings
      WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections'))::int AS "maxConnections",
    json_build_object(
      'session', coalesce(max(extract(epoch FROM clock_timestamp() - a.xact_start)) FILTER (
        WHERE a.datname = current_database() AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()), 0),
      'prepared', (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(prepared)), 0) FROM pg_prepared_xacts
        WHERE database = current_database())) AS "oldestSeconds",
    json_build_object(
      'session', coalesce(max(age(a.backend_xmin)) FILTER (
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()), 0),
      'standby', coalesce(max(age(a.backend_xmin)) FILTER (WHERE a.datid IS NULL), 0),
      'prepared', (SELECT coalesce(max(age(transaction)), 0) FROM pg_prepared_xacts),
      'slot', (SELECT coalesce(max(greatest(age(xmin), age(catalog_xmin))), 0) FROM pg_replication_slots)) AS "heldBack",
    (SELECT json_build_object('transaction', max(age(datfrozenxid)), 'multixact', max(mxid_age(datminmxid)))
      FROM pg_database) AS unfrozen,
    json_build_object('transaction', current_setting('autovacuum_freeze_max_age')::int,
      'multixact', current_setting('autovacuum_multixact_freeze_max_age')::int) AS "freezeAt"
  FROM pg_stat_activity a`;

export async function readServerState(db: Db): Promise<ServerState> {
  return onlyRow(await db.query<ServerState>(stateSql));
}

export type Replication = {
  /** Those that stream, with the largest lag; undefined for a role that may not see them. */
  standbys: { count: number; lagBytes: number; lagSeconds: number } | undefined;
  slotBytes: { active: number; inactive: number };
};

const replicationSql = `
  SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN
      (SELECT json_build_object('count', count(*), 'lagBytes', coalesce(max(pg_wal_lsn_diff(wal.at, replay_lsn)), 0),
        'lagSeconds', coalesce(max(extract(epoch FROM replay_lag)), 0))
      FROM pg_stat_replication WHERE state IN ('streaming', 'catchup')) END AS standbys,
    (SELECT json_build_object(
        'active', coalesce(max(pg_wal_lsn_diff(wal.at, restart_lsn)) FILTER (WHERE active), 0),
        'inactive', coalesce(max(pg_wal_lsn_diff(wal.at, restart_lsn)) FILTER (WHERE NOT active), 0))
      FROM pg_replication_slots) AS "slotBytes"
  FROM (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_lsn() END AS at) AS wal`;

/** Throws where a provider does not have these functions. */
export async function readReplication(db: Db): Promise<Replication> {
  const { standbys, slotBytes } = onlyRow(await db.query<Replication & { standbys: unknown }>(replicationSql));
  return { standbys: standbys ?? undefined, slotBytes };
}

export type Storage = {
  databaseBytes: number;
  /** Undefined for a role that may not see it. */
  walBytes: number | undefined;
  /** Estimates of all tables, and of the one with the most dead rows for its size. */
  rows: { live: number; dead: number };
  worstTable: { live: number; dead: number };
};

/** Small tables come last: a queue has no live rows in quiet moments. */
const smallRows = 100_000;

/** Reads an entry for each table and, for the sizes, for each file. */
const storageSql = (walSql: string) => `
  WITH tables AS (
    SELECT pg_stat_get_live_tuples(oid) AS live, pg_stat_get_dead_tuples(oid) AS dead FROM pg_class
    WHERE relkind IN ('r', 'm', 't')
  )
  SELECT pg_database_size(current_database())::float8 AS "databaseBytes", ${walSql} AS "walBytes",
    json_build_object('live', sum(live), 'dead', sum(dead)) AS rows,
    (SELECT json_build_object('live', live, 'dead', dead) FROM tables
      ORDER BY dead::float8 / (live + ${smallRows}) DESC LIMIT 1) AS "worstTable"
  FROM tables`;

const walBytesSql = '(SELECT coalesce(sum(size), 0) FROM pg_ls_waldir())::float8';

export async function readStorage(db: Db): Promise<Storage> {
  const { seesWal } = onlyRow(await db.query<{ seesWal: boolean }>(`SELECT ${seesWalSql}`));
  const rows = await db.query<Storage & { walBytes: unknown }>(storageSql(seesWal ? walBytesSql : 'NULL'));
  const { walBytes, ...rest } = onlyRow(rows);
  return { ...rest, walBytes: walBytes ?? undefined };
}

function onlyRow<T>([row]: T[]): T {
  if (!row) throw new Error('the server said nothing of itself');
  return row;
}
