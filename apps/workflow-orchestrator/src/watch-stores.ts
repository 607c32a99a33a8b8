import type { Logger } from '@eas/core';
import {
  type Database,
  firstToEnd,
  newestBackup,
  readReplication,
  readServerCertificate,
  readServerState,
  readStorage,
  sqlStateOf,
  type Validity,
} from '@eas/db';
import { readRedisCertificate } from '@eas/queue';
import { type Metrics, watchTogether } from '@eas/runtime';
import type { Config } from './config.ts';

type Watched = { metrics: Metrics; database: Pick<Database, 'db'>; config: Config; logger: Logger };

const [stateMs, storageMs, backupMs, certificateMs] = [15_000, 60_000, 60_000, 3_600_000];

/** Registers what Postgres says of itself, backups, and the certificates of the stores. Once per registry. */
export function watchStores(watched: Watched): void {
  watchServer(watched);
  watchReplication(watched);
  watchStorage(watched);
  watchBackups(watched);
  watchCertificates(watched);
}

/** A role without pg_monitor sees its own sessions, no standbys and no WAL: these gauges are absent. */
function watchServer({ metrics, database: { db }, logger }: Watched): void {
  let isHiddenLogged = false;
  async function read() {
    const state = await readServerState(db);
    if (!isHiddenLogged && !(state.seesOthers && state.seesWal))
      logger.info({ role: state.role, lacks: 'pg_monitor' }, 'database figures of other roles are hidden');
    isHiddenLogged = true;
    return state;
  }
  watchTogether(
    metrics,
    { read, everyMs: stateMs },
    {
      eas_db_server_connections: ({ connections }) => connections,
      eas_db_server_connections_max: ({ maxConnections }) => maxConnections,
      eas_db_oldest_transaction_seconds: ({ oldestSeconds }) => oldestSeconds,
      eas_db_held_back_transactions: ({ heldBack }) => heldBack,
      eas_db_unfrozen_transactions: ({ unfrozen }) => unfrozen,
      eas_db_unfrozen_transactions_max: ({ freezeAt }) => freezeAt,
    },
  );
}

/** Of SQL: a function that the provider does not have, or does not let the role call. */
const refusals: readonly (string | undefined)[] = ['0A000', '42501', '42883'];

function watchReplication({ metrics, database: { db }, logger }: Watched): void {
  let isRefused = false;
  async function read() {
    if (isRefused) return {};
    try {
      return await readReplication(db);
    } catch (error) {
      if (!refusals.includes(sqlStateOf(error))) throw error;
      isRefused = true;
      logger.info({ err: error }, 'replication is not watched');
      return {};
    }
  }
  watchTogether<Partial<Awaited<ReturnType<typeof readReplication>>>>(
    metrics,
    { read, everyMs: stateMs },
    {
      eas_db_standbys: ({ standbys }) => standbys?.count,
      eas_db_replication_lag_seconds: ({ standbys }) => standbys?.lagSeconds,
      eas_db_replication_lag_bytes: ({ standbys }) => standbys?.lagBytes,
      eas_db_slot_retained_bytes: ({ slotBytes }) => slotBytes,
    },
  );
}

function watchStorage({ metrics, database: { db }, config }: Watched): void {
  const { diskGb } = config;
  watchTogether(
    metrics,
    { read: () => readStorage(db), everyMs: storageMs },
    {
      eas_db_disk_used_bytes: ({ databaseBytes, walBytes }) => ({ database: databaseBytes, wal: walBytes }),
      eas_db_disk_bytes: () => diskGb && diskGb * 1e9,
      eas_db_rows: ({ rows }) => rows,
      eas_db_worst_table_rows: ({ worstTable }) => worstTable,
    },
  );
}

function watchBackups({ metrics, database: { db } }: Watched): void {
  watchTogether(
    metrics,
    { read: async () => ({ newest: await newestBackup(db) }), everyMs: backupMs },
    {
      eas_backup_last_success_timestamp_seconds: ({ newest }) => newest && newest.takenAt.getTime() / 1_000,
      eas_backup_size_bytes: ({ newest }) => newest?.bytes ?? undefined,
    },
  );
}

type Certificates = Record<'postgres' | 'redis', Validity | undefined>;

/** Through a pooler, the service sees two certificates of Postgres: the one that ends first counts. */
function watchCertificates({ metrics, config: { database, redis } }: Watched): void {
  const urls = [database.url, ...(database.directUrl ? [database.directUrl] : [])];
  async function read(): Promise<Certificates> {
    const [ofPostgres, ofRedis] = await Promise.all([
      Promise.all(urls.map(readServerCertificate)),
      redis.url === undefined ? undefined : readRedisCertificate(redis.url),
    ]);
    return { postgres: firstToEnd(ofPostgres), redis: ofRedis };
  }
  watchTogether(
    metrics,
    { read, everyMs: certificateMs },
    {
      eas_certificate_not_after_timestamp_seconds: secondsOf('notAfter'),
      eas_certificate_not_before_timestamp_seconds: secondsOf('notBefore'),
    },
  );
}

const secondsOf = (end: keyof Validity) => (certificates: Certificates) => {
  const seconds = (validity: Validity | undefined) => validity && validity[end].getTime() / 1_000;
  return { postgres: seconds(certificates.postgres), redis: seconds(certificates.redis) };
};
