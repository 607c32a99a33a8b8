import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { dbOn, type Queryable } from '../connection/db.ts';
import { behind, type LockBreaker } from '../connection/lock-breaker.ts';
import type { Channel, NotifyAfterCommit } from '../connection/notify.ts';
import { consumeEarly, type EarlyConsumers } from './early-consumers.ts';
import { flushEvents } from './outbox.ts';
import { isDeadlock } from '../connection/sql-error.ts';
import { awaitWrites, firstErrorOf, holdUntilCommit, type Tx } from './tx.ts';

/** Maximum number of retries after a deadlock. */
const maxTries = 5;
/**
 * Longest delay before the first retry: without one it could take a lock again before the other transaction wakes up.
 */
const pauseMs = 50;

/** Dependencies of transactions. `notify` wakes listeners after the commit. */
export type TransactionParts = {
  pool: pg.Pool;
  breaker: LockBreaker;
  notify: NotifyAfterCommit;
  early: EarlyConsumers;
};

/** Any error rolls all of it back. After a deadlock `work` runs again, so it must not keep state of an earlier try. */
export async function runTransaction<T>(
  on: TransactionParts,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryTransaction(on, tenantId, work);
    } catch (error) {
      if (!isDeadlock(error) || tries === maxTries) throw error;
      await sleep(Math.random() * pauseMs * tries);
    }
  }
}

async function tryTransaction<T>(
  { pool, breaker, notify, early }: TransactionParts,
  tenantId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  const wakes: [Channel, string][] = [];
  const { db, release } = dbUntilReleased(behind(breaker, connection));
  const tx: Tx = {
    db,
    tenantId,
    pendingEvents: [],
    pendingWrites: [],
    notify: (channel, key) => void wakes.push([channel, key]),
  };
  let failure: Error | undefined;
  try {
    // BEGIN is sent with the first statement of the work, COMMIT with the last.
    holdUntilCommit(tx, connection.query('BEGIN'));
    const result = await work(tx);
    await consumeEarly(tx, early);
    flushEvents(tx);
    const committed = connection.query('COMMIT');
    holdUntilCommit(tx, committed);
    await awaitWrites(tx);
    const { command } = await committed;
    // After a failed statement Postgres accepts a COMMIT without an error, and rolls back.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back because a statement in it failed');
    for (const [channel, key] of wakes) notify(channel, key);
    return result;
  } catch (error) {
    const cause = await firstErrorOf(tx, error);
    // A connection on which even the rollback fails is discarded.
    await connection.query('ROLLBACK').catch((rollbackError: Error) => (failure = rollbackError));
    throw cause;
  } finally {
    release();
    connection.release(failure);
  }
}

function dbUntilReleased(connection: Queryable) {
  let isOver = false;
  const db = dbOn(() => {
    if (isOver) throw new Error('a statement was to run when its transaction had ended');
    return connection;
  });
  return { db, release: () => void (isOver = true) };
}
