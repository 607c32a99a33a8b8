import { randomBytes } from 'node:crypto';
import { runOnServer, serverUrlVariable, withDatabaseName } from './postgres-server.ts';

export type EmptyDatabase = { url: string; drop(): Promise<void> };

/** A database without migrations on the server of the test run. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const server = process.env[serverUrlVariable] ?? '';
  const name = `eas_empty_${randomBytes(4).toString('hex')}`;
  await runOnServer(server, `CREATE DATABASE ${name}`);
  return {
    url: withDatabaseName(server, name),
    drop: () => runOnServer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
