import { type Clock, createFairLanes, type Logger, StartError, unusable, withoutPassword } from '@eas/core';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { createDatabaseClock } from './connection/clock.ts';
import { connectionOptions, statementTimeoutMs } from './connection/connection-options.ts';
import { type Db, runQuery } from './connection/db.ts';
import { explainRefusal } from './connection/explain-refusal.ts';
import {
  createGatherer,
  gatherDefaults,
  type GatheredStatement,
  type GatherOptions,
  onlyResult,
  tooManyWaiting,
  type Wake,
} from './connection/gather.ts';
import { createListener, createNotifier, type Listener, type NotifyAfterCommit } from './connection/notify.ts';
import { checkDatabase } from './migrations/admin.ts';
import { createNewestMigrationCheck, requireSchema } from './migrations/migration-state.ts';
import { prismaOn } from './connection/prisma.ts';
import { sessionOptions } from './connection/session-settings.ts';
import { type InSharedTransaction, shareTransactions } from './transactions/shared-transaction.ts';
import { runTransaction } from './transactions/transaction.ts';
import type { Tx } from './transactions/tx.ts';

export type DatabaseOptions = {
  url: string;
  /** That `url` came from, for messages. DATABASE_URL by default. */
  setting?: string;
  /** Of the same database when `url` leads through a transaction pooler: for LISTEN, and what poolers refuse is not sent. */
  directUrl?: string;
  /** Connections of this process, beside the one that listens. */
  poolSize: number;
  /** After so long a statement fails and its connection is closed. Tests and benches that fill tables set it. */
  statementMs?: number;
  applicationName: string;
  logger: Logger;
  /** Whether a database that is behind this release is opened too, by who says what it lacks. */
  isAnyRelease?: boolean;
};

/** Runs a statement over the rows of one moment; see GatheredStatement. `bytes`: the size of an item with long texts. */
export type Gather = <I, O>(statement: GatheredStatement<I, O>, item: I, bytes?: number) => Promise<O>;

export type Database = {
  db: Db;
  clock: Clock;
  inTransaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  gather: Gather;
  /** `gather` for work that takes several statements, in one transaction per tenant and moment. */
  inSharedTransaction(tenantId: string): InSharedTransaction;
  notify: NotifyAfterCommit;
  listener: Listener;
  /** Connections of this process, without the one that listens; `waiting` counts what waits for one. */
  pool(): { used: number; idle: number; max: number; waiting: number };
  /** A StartError with the address for an error that Postgres gave; any other error as it is. */
  explain(error: unknown): unknown;
  /** Throws when the database does not respond, or lacks the newest migration of this release. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

// int8 as number: counters and numbers stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A connection costs a fork and a login: on a busy machine the calls that have to open one wait up to a second for it.
 * By pg's default of 10 s each burst would open its connections again.
 */
const idleConnectionMs = 600_000;

/**
 * Transactions that wait for each other's rows hold their connections meanwhile: of those of the pool each tenant gets
 * its share, half of them when it is alone. More than half of this number of one tenant is refused with 503.
 */
const maxWaitingTransactions = 20_000;

/** Statements that still run, and connections, get so long to end. Those that hang end with the process. */
const lastStatementsMs = 1_500;

/** Connects; throws a StartError when the database cannot be used, or not by this release. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directUrl, poolSize, statementMs = statementTimeoutMs, applicationName, logger } = options;
  if (directUrl) await checkDatabase(directUrl, 'DATABASE_DIRECT_URL');
  const pool = new pg.Pool({
    ...connectionOptions,
    connectionString: url,
    max: poolSize,
    application_name: applicationName,
    query_timeout: statementMs,
    idleTimeoutMillis: idleConnectionMs,
    // A statement goes out when it is given, without waiting for the one before.
    pipeline: true,
    ...(directUrl ? {} : sessionOptions),
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost, reconnecting'));
  // A connection that breaks while it is in use fails its query; without a listener it would also end the process.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  const db = dbOnPool(pool);
  const checkNewestMigration = await createNewestMigrationCheck();
  const clock = await checkedClock(pool, db, options).catch(async (error: unknown) => {
    await pool.end();
    throw explain(options, error);
  });
  const { notify, flush } = createNotifier(pool, logger);
  const listener = createListener(directUrl ?? url, logger);
  const lanes = createFairLanes({ lanes: poolSize, maxWaiting: maxWaitingTransactions });
  let waitingTransactions = 0;
  const inTransaction: Database['inTransaction'] = async (tenantId, work) => {
    waitingTransactions += 1;
    const leave = await lanes.enter(tenantId);
    waitingTransactions -= 1;
    if (!leave) throw tooManyWaiting();
    return runTransaction(pool, tenantId, notify, work).finally(leave);
  };
  return {
    db,
    clock,
    notify,
    listener,
    gather: gatherOn(db, notify),
    inTransaction,
    inSharedTransaction: shareTransactions(inTransaction),
    explain: (error) => explainRefusal(error, addressOf(options)),
    ping: () => checkNewestMigration(db),
    pool: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: poolSize,
      waiting: pool.waitingCount + waitingTransactions,
    }),
    async close() {
      clock.close();
      await flush();
      const closed = Promise.all([listener.close(), pool.end()]);
      await pTimeout(closed, { milliseconds: lastStatementsMs, fallback: () => {} });
    },
  };
}

const addressOf = ({ url, setting = 'DATABASE_URL' }: DatabaseOptions) => ({ url, setting });

async function checkedClock(pool: pg.Pool, db: Db, options: DatabaseOptions) {
  const { logger, isAnyRelease } = options;
  const { url, setting } = addressOf(options);
  const clock = await createDatabaseClock(pool, logger);
  if (isAnyRelease) return clock;
  try {
    const unknown = await requireSchema(db, `The database at ${withoutPassword(url)} (${setting})`);
    if (unknown.length > 0) logger.warn({ migrations: unknown }, 'database is ahead of this release');
    return clock;
  } catch (error) {
    clock.close();
    throw error;
  }
}

/** The first statement asks for the time by a function that the first migration made. */
function explain(options: DatabaseOptions, error: unknown): StartError {
  const { url, setting } = addressOf(options);
  if (String((error as Error).message).includes('unsupported startup parameter'))
    return new StartError(
      `${withoutPassword(url)} (${setting}) is a connection pooler. Set DATABASE_DIRECT_URL to the address of Postgres without it.`,
      error,
    );
  const explained = explainRefusal(error, { url, setting });
  return explained instanceof StartError ? explained : unusable('Postgres', setting, url, error);
}

function dbOnPool(pool: pg.Pool): Db {
  let prisma: Db['prisma'] | undefined;
  return {
    query: (text, values, options) => runQuery(pool, text, values, options),
    get prisma() {
      return (prisma ??= prismaOn(() => pool));
    },
  };
}

function gatherOn(db: Db, wake: Wake, options: GatherOptions = gatherDefaults): Gather {
  const gatherers = new Map<unknown, (item: unknown, bytes?: number) => Promise<unknown>>();
  return (statement, item, bytes) => {
    let gatherer = gatherers.get(statement);
    if (!gatherer) {
      const run = statement as GatheredStatement<unknown, unknown>;
      const limits = { ...options, ...(run.maxItems && { max: run.maxItems }) };
      gatherer = createGatherer((items: readonly unknown[]) => run(db, items, wake), limits);
      gatherers.set(statement, gatherer);
    }
    return gatherer(item, bytes) as never;
  };
}

/**
 * `gather` for calls that are made side by side inside a transaction: those of one moment are one statement of it.
 * An error rejects them all, for the transaction is spoilt. Wait for every call before the transaction goes on.
 */
export function gatherTogether(tx: Tx): Gather {
  const wake: Wake = (channel, key) => tx.notify(channel, key);
  return gatherOn(tx.db, wake, { max: 500, inFlight: 1, isReplaying: false });
}

/** `gather` inside a transaction: nothing to wait for, the statement runs there with the one item. */
export function gatherInTransaction(tx: Tx): Gather {
  return async (statement, item) => {
    return onlyResult(await statement(tx.db, [item], (channel, key) => tx.notify(channel, key)));
  };
}
