import pg from 'pg';
import { eventually, hangMs } from './eventually.ts';

/** URL of the server on which test databases are made; set by the global setup. */
export const serverUrlVariable = 'TEST_POSTGRES_URL';
/** Name of the migrated database that test databases are cloned from; set by the global setup. */
export const templateVariable = 'TEST_POSTGRES_TEMPLATE';

/** URL of another database of the same server. */
export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}

/**
 * Runs one statement on the server's maintenance database. Postgres waits only 5 s for other sessions to leave a
 * database that is copied or dropped; on a busy machine that is too short, so it is retried.
 */
export async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const connectionString = withDatabaseName(serverUrl, 'postgres');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: hangMs, query_timeout: hangMs });
  await client.connect();
  const isDone = () =>
    client.query(statement).then(
      () => true,
      (error: unknown) => {
        if (isInUse(error)) return false;
        throw error;
      },
    );
  try {
    await eventually(isDone);
  } finally {
    await client.end();
  }
}

const isInUse = (error: unknown) => (error as { code?: unknown }).code === '55006';
