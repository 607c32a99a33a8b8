import type { Logger } from '@eas/core';
import pg from 'pg';
import { queryUntilAborted } from './cancel-statement.ts';
import type { Queryable } from './db.ts';

/**
 * A connection costs a fork and a login: on a busy machine the calls that have to open one wait up to a second for it.
 * With pg's default of 10 s each burst would open its connections again. Each one takes about 3 MB.
 */
const idleConnectionMs = 120_000;

export function openPool(options: pg.PoolConfig, logger: Logger): pg.Pool {
  // Statements are pipelined: each is sent without waiting for the previous one.
  const pool = new pg.Pool({ idleTimeoutMillis: idleConnectionMs, pipeline: true, ...options });
  pool.on('error', (error) => logger.warn({ err: error }, 'idle database connection lost, reconnecting'));
  // A connection that breaks while it is in use fails its query; without a listener it would also end the process.
  pool.on('connect', (connection) => connection.on('error', () => {}));
  return pool;
}

/**
 * `signal` cancels statements whose result is no longer awaited; `onEnd` gets how long each had a connection, in ms.
 */
export type StatementWatch = { signal?: AbortSignal; onEnd?: (ms: number) => void };

/** Runs each statement on a connection of the pool. One that Postgres refused or ended leaves its connection usable. */
export const queryableOf = (pool: pg.Pool, { signal, onEnd }: StatementWatch = {}): Queryable => ({
  async query(statement) {
    const connection = await pool.connect();
    const startedMs = performance.now();
    let failure: Error | undefined;
    try {
      return await (signal ? queryUntilAborted(connection, statement, signal) : connection.query(statement));
    } catch (error) {
      if (!isOfStatement(error) && error !== signal?.reason) failure = error as Error;
      throw error;
    } finally {
      connection.release(failure);
      onEnd?.(performance.now() - startedMs);
    }
  },
});

const isOfStatement = (error: unknown) => error instanceof pg.DatabaseError && error.severity === 'ERROR';
