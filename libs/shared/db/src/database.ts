import type { Consumer } from '@eas/contracts';
import { type Clock, createFairSlots, type Logger, StartError, unusable, withoutPassword } from '@eas/core';
import pTimeout from 'p-timeout';
import pg from 'pg';
import { createDatabaseClock } from './connection/clock.ts';
import { connectionOptions, statementTimeoutMs } from './connection/connection-options.ts';
import { type Db, dbOn, type Queryable } from './connection/db.ts';
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
import { behind, createLockBreaker } from './connection/lock-breaker.ts';
import { createListener, createNotifier, type Listener, type NotifyAfterCommit } from './connection/notify.ts';
import { openPool, queryableOf, type StatementWatch } from './connection/pool.ts';
import { checkDatabase } from './migrations/admin.ts';
import { createNewestMigrationCheck, requireSchema } from './migrations/migration-state.ts';
import { sessionOptions } from './connection/session-settings.ts';
import type { EarlyConsumer, EarlyConsumers } from './transactions/early-consumers.ts';
import { type InSharedTransaction, shareTransactions } from './transactions/shared-transaction.ts';
import { runTransaction } from './transactions/transaction.ts';
import type { Tx } from './transactions/tx.ts';

export type DatabaseOptions = {
  url: string;
  /** The setting that `url` came from, for messages. DATABASE_URL by default. */
  setting?: string;
  /**
   * Direct URL of the same database if `url` leads through a transaction pooler: used for LISTEN. Parameters that
   * poolers refuse are not sent then.
   */
  directUrl?: string;
  /** Connections of this process for its work, in addition to the ones for listening and for the readiness check. */
  poolSize: number;
  /**
   * A statement without a response fails after this time and its connection is closed; locks and idle transactions have
   * proportional limits. Set by tests and benches that fill tables.
   */
  statementMs?: number;
  applicationName: string;
  logger: Logger;
  /** Also opens a database that is behind this release, for commands that report what it lacks. */
  isAnyRelease?: boolean;
};

/** Runs a statement over concurrent items; see GatheredStatement. `bytes`: the size of an item with long texts. */
export type Gather = <I, O>(statement: GatheredStatement<I, O>, item: I, bytes?: number) => Promise<O>;

export type Database = {
  /** For the work of the process itself; work for a tenant goes through `dbOf`. */
  db: Db;
  /** Statements of a tenant outside of transactions. Tenants share the connections for them, as for transactions. */
  dbOf(tenantId: string, watch?: StatementWatch): Db;
  clock: Clock;
  inTransaction<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  gather: Gather;
  /** `gather` for work of several statements, in one transaction per tenant and batch. */
  inSharedTransaction(tenantId: string): InSharedTransaction;
  /** From now on events are consumed in the transactions of this process that append them, as far as possible. */
  consumeEarly(consumer: Consumer, consume: EarlyConsumer): void;
  notify: NotifyAfterCommit;
  listener: Listener;
  /** Connections of this process for its work; `waiting` counts what waits for one. */
  pool(): { used: number; idle: number; max: number; waiting: number };
  /** A StartError with the address for an error of Postgres; any other error unchanged. */
  explain(error: unknown): unknown;
  /** Throws when the database does not respond, or lacks the newest migration of this release. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

// int8 as number: counters and numbers stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Transactions that wait for each other's rows hold their connections, and statements that read much hold them for
 * long. So each tenant gets its share of the pool for both, half of it when it is alone. `maxWaiting` is shared the
 * same way: calls beyond a tenant's share are refused with 503.
 */
const maxWaiting = 20_000;

/** Time limit for running statements and connections to end. Those that hang end with the process. */
const lastStatementsMs = 1_500;

/** Connects; throws a StartError when the database cannot be used, or not by this release. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directUrl, poolSize, statementMs = statementTimeoutMs, applicationName, logger } = options;
  if (directUrl) await checkDatabase(directUrl, 'DATABASE_DIRECT_URL');
  const connections = {
    ...connectionOptions,
    connectionString: url,
    application_name: applicationName,
    query_timeout: statementMs,
    ...(directUrl ? {} : sessionOptions(statementMs)),
  };
  const pool = openPool({ ...connections, max: poolSize }, logger);
  // For what must not wait behind the work of the apps: the readiness check and the clock.
  const aside = openPool({ ...connections, application_name: 'eas-ready', max: 1 }, logger);
  const breaker = createLockBreaker({ onChange: sayLocked(logger) });
  const guarded = behind(breaker, queryableOf(pool));
  const db = dbOn(() => guarded);
  const queryableAside = queryableOf(aside);
  const dbAside = dbOn(() => queryableAside);
  const checkNewestMigration = await createNewestMigrationCheck();
  const clock = await checkedClock(aside, dbAside, options).catch(async (error: unknown) => {
    await Promise.all([pool.end(), aside.end()]);
    throw explain(options, error);
  });
  const { notify, flush } = createNotifier(queryableOf(pool), logger);
  const listener = createListener(directUrl ?? url, logger);
  const [transactions, statements] = [slotsOf(poolSize), slotsOf(poolSize)];
  const early: EarlyConsumers = { consumers: new Map(), logger };
  const inTransaction: Database['inTransaction'] = (tenantId, work) =>
    transactions.run(tenantId, () => runTransaction({ pool, breaker, notify, early }, tenantId, work));
  const dbOf: Database['dbOf'] = (tenantId, watch = {}) => {
    const onPool = behind(breaker, queryableOf(pool, watch));
    const shared: Queryable = {
      query: (statement) => statements.run(tenantId, () => onPool.query(statement), watch.signal),
    };
    return dbOn(() => shared);
  };
  return {
    db,
    dbOf,
    clock,
    notify,
    listener,
    gather: gatherOn(db, notify),
    inTransaction,
    inSharedTransaction: shareTransactions(inTransaction),
    consumeEarly: (consumer, consume) => void early.consumers.set(consumer, consume),
    explain: (error) => explainRefusal(error, addressOf(options)),
    ping: () => checkNewestMigration(dbAside),
    pool: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      max: poolSize,
      waiting: pool.waitingCount + transactions.waiting() + statements.waiting(),
    }),
    async close() {
      clock.close();
      await flush();
      const closed = Promise.all([listener.close(), pool.end(), aside.end()]);
      await pTimeout(closed, { milliseconds: lastStatementsMs, fallback: () => {} });
    },
  };
}

/** Limits each tenant's running work to its share of the pool. */
function slotsOf(poolSize: number) {
  const slots = createFairSlots({ slots: poolSize, maxWaiting });
  let waiting = 0;
  return {
    waiting: () => waiting,
    async run<T>(tenantId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      waiting += 1;
      const leave = await slots.enter(tenantId, signal);
      waiting -= 1;
      if (leave) return work().finally(leave);
      throw signal?.aborted ? signal.reason : tooManyWaiting();
    },
  };
}

const sayLocked =
  (logger: Logger) =>
  ({ isOpen, text }: { isOpen: boolean; text: string }): void => {
    const statement = text.trim().replaceAll(/\s+/g, ' ').slice(0, 200);
    if (isOpen) logger.warn({ statement }, 'table locked, refusing statements that need it');
    else logger.info({ statement }, 'table free again');
  };

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
 * `gather` for concurrent calls inside a transaction: they become one statement of it. An error rejects them all, since
 * it aborts the transaction. Await every call before the transaction continues.
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
