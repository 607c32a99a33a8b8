import type { Db } from '../connection/db.ts';

export type ServerFacts = {
  /** Such as `18.1`. */
  version: string;
  major: number;
  encoding: string;
  isReplica: boolean;
  /** The role of the connection. */
  role: string;
  /** Whether the role may create tables, or owns the existing ones. */
  mayChangeTables: boolean;
  /** Whether it sees sessions of other roles, standbys and the WAL. */
  mayMonitor: boolean;
  bytes: number;
  /** Connections of all clients to the server. */
  sessions: number;
  /** Connections of pools, per application and address, which is mostly one process. */
  pools: readonly number[];
  /** Values of the settings that matter to the service, as Postgres writes them. */
  settings: Readonly<Record<string, string>>;
  /** Size of the database. */
  now: Date;
};

const factsSql = `
  SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
    current_setting('server_version_num')::int / 10000 AS major, pg_encoding_to_char(d.encoding) AS encoding,
    pg_is_in_recovery() AS "isReplica", current_user::text AS role,
    has_schema_privilege('public', 'CREATE')
      OR EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND pg_has_role(relowner, 'USAGE'))
      AS "mayChangeTables",
    pg_has_role('pg_monitor', 'USAGE') AS "mayMonitor",
    pg_database_size(d.oid)::float8 AS bytes, 
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS sessions,
    coalesce((SELECT json_agg(n) FROM (SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = ANY ($2)
      GROUP BY application_name, client_addr) AS p), '[]') AS pools,
    (SELECT json_object_agg(name, setting) FROM pg_settings WHERE name = ANY ($1)) AS settings,
    clock_timestamp() AS now
  FROM pg_database d WHERE d.datname = current_database()`;

const settingNames = [
  'autovacuum',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'fsync',
  'full_page_writes',
  'max_connections',
  'superuser_reserved_connections',
  'synchronous_commit',
  'TimeZone',
];

/** `apps`: names of applications that keep a pool of connections. */
export async function readServerFacts(db: Db, apps: readonly string[]): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(factsSql, [settingNames, apps], { isPrepared: false });
  if (!facts) throw new Error('the server said nothing of itself');
  return facts;
}

/** `2026-12`, and the partitioned tables that have no partition for it. */
export type MonthGap = { month: string; tables: string[] };

const gapsSql = `
  SELECT to_char(m.month, 'YYYY-MM') AS month, array_agg(t.name ORDER BY t.name) AS tables
  FROM (SELECT date_trunc('month', app_now() AT TIME ZONE 'UTC') + n * interval '1 month' AS month
    FROM generate_series(0, 2) AS n) AS m
  CROSS JOIN unnest(ARRAY['events', 'deliveries', 'attempts']) AS t (name)
  WHERE to_regclass(t.name || to_char(m.month, '_YYYY_MM')) IS NULL GROUP BY m.month ORDER BY m.month`;

/** For this month and the next two, which the orchestrator creates ahead. */
export function readMonthGaps(db: Db): Promise<MonthGap[]> {
  return db.query<MonthGap>(gapsSql, [], { isPrepared: false });
}
