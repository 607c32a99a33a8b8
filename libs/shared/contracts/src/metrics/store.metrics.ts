import { defineMetrics, type MetricDef } from './metric.ts';

/** Read by every orchestrator from the stores themselves. */
const read = { type: 'gauge', apps: ['workflow-orchestrator'], isShared: true } as const satisfies Partial<MetricDef>;

/** Postgres, Redis, their certificates, and backups. */
export const storeMetrics = defineMetrics({
  eas_db_server_connections: { ...read, help: 'Connections of all clients to Postgres.' },
  eas_db_server_connections_max: {
    ...read,
    help: 'Maximum number of connections that Postgres gives to clients: max_connections without the reserved ones.',
  },
  eas_db_oldest_transaction_seconds: {
    ...read,
    help: 'Age of the oldest transaction of the database: open in a session (those of other roles only with pg_read_all_stats), or prepared.',
    labels: ['kind'],
  },
  eas_db_held_back_transactions: {
    ...read,
    help: 'Transactions since the oldest one whose dead rows cannot be removed, by what holds them back: session, prepared, slot, standby.',
    labels: ['holder'],
  },
  eas_db_unfrozen_transactions: {
    ...read,
    help: 'Age of the oldest unfrozen transaction and multixact of the server. Postgres stops writing at 2.1 billion.',
    labels: ['kind'],
  },
  eas_db_unfrozen_transactions_max: {
    ...read,
    help: 'Age at which autovacuum freezes whatever else it does (autovacuum_freeze_max_age, autovacuum_multixact_freeze_max_age).',
    labels: ['kind'],
  },
  eas_db_rows: { ...read, help: 'Rows of all tables by state: live, dead. Estimates of Postgres.', labels: ['state'] },
  eas_db_worst_table_rows: {
    ...read,
    help: 'Rows of the table with the most dead ones for its size, by state: live, dead.',
    labels: ['state'],
  },
  eas_db_disk_used_bytes: {
    ...read,
    help: 'What the database takes of the disk by part: database, wal (only with pg_monitor).',
    labels: ['part'],
  },
  eas_db_disk_bytes: { ...read, help: 'Size of the disk of Postgres; only with DATABASE_DISK_GB.' },
  eas_db_standbys: { ...read, help: 'Connected standbys and subscribers; only with pg_read_all_stats.' },
  eas_db_replication_lag_seconds: {
    ...read,
    help: 'How far the last standby or subscriber is behind; only with pg_read_all_stats.',
  },
  eas_db_replication_lag_bytes: {
    ...read,
    help: 'WAL that the last standby or subscriber has not applied; only with pg_read_all_stats.',
  },
  eas_db_slot_retained_bytes: {
    ...read,
    help: 'WAL that the replication slot that is furthest behind retains, by state: active, inactive.',
    labels: ['state'],
  },
  eas_backup_last_success_timestamp_seconds: {
    ...read,
    help: 'Time of the newest recorded backup; absent if none was ever recorded.',
  },
  eas_backup_size_bytes: { ...read, help: 'Size of the newest recorded backup, where it is known.' },
  eas_redis_memory_used_bytes: { ...read, help: 'Memory that Redis uses; of a Cluster, of its fullest node.' },
  eas_redis_memory_max_bytes: {
    ...read,
    help: 'Limit of that memory (maxmemory); where there is none, the memory of its machine.',
  },
  eas_redis_evicted_keys_total: {
    ...read,
    type: 'counter',
    help: 'Keys that Redis evicted for want of memory since this process started: lost jobs.',
  },
  eas_redis_persistence_ok: {
    ...read,
    help: 'Whether the last write of the snapshot (rdb) and of the append-only file (aof) succeeded: 1 or 0.',
    labels: ['kind'],
  },
  eas_certificate_not_after_timestamp_seconds: {
    ...read,
    help: 'When the certificate of a store ends (postgres, redis), of a new TLS connection each hour; absent without TLS.',
    labels: ['store'],
  },
  eas_certificate_not_before_timestamp_seconds: {
    ...read,
    help: 'When the certificate of a store began.',
    labels: ['store'],
  },
});
