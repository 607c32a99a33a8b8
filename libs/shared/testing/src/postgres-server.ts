import pg from 'pg';
import { hangMs } from './eventually.ts';

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

/** Runs one statement on the server's maintenance database. */
export async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const connectionString = withDatabaseName(serverUrl, 'postgres');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: hangMs, query_timeout: hangMs });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
