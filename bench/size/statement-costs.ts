import type { Stores } from '../harness/stores.ts';

/** A statement as Postgres counts it, with the values left out: pages of 8 kB that a call read, and its ms. */
export type StatementCost = { text: string; calls: number; pages: number; ms: number };

export type StatementCounter = { begin(): Promise<void>; costs(): Promise<StatementCost[]> };

const countedSql = `
  SELECT query AS text, sum(calls)::int AS calls,
    (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float8 AS pages, (sum(total_exec_time) / sum(calls))::float8 AS ms
  FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY query`;

/** Has Postgres count what all processes run, whatever they are. Restarts it if it was started by this run. */
export async function openStatementCounter({ database: { db }, restartPostgres }: Stores): Promise<StatementCounter> {
  if (restartPostgres) {
    await db.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
    await db.query(`ALTER SYSTEM SET pg_stat_statements.max = 20000`);
    await restartPostgres();
  }
  await db.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return {
    begin: async () => void (await db.query('SELECT pg_stat_statements_reset()')),
    costs: () => db.query<StatementCost>(countedSql),
  };
}
