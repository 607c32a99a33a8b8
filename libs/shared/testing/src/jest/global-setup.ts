import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import { migrate } from '@eas/db/migrate';
import { startSystemBroker, systemBrokerVariable } from '../systems/shared-system.ts';
import { runOnServer, serverUrlVariable, templateVariable, withDatabaseName } from '../postgres-server.ts';

type TestServer = { stop(): Promise<void> };
/** Jest runs setup and teardown once a project, all in one process: the first makes the server, the last call stops it. */
export const testServer = globalThis as typeof globalThis & { easTestServer?: TestServer | undefined };

/**
 * Provides a Postgres for the run (TEST_POSTGRES_URL, otherwise an embedded one), a migrated template database and a
 * shared system.
 */
export default async function setUp(): Promise<void> {
  if (testServer.easTestServer) return;
  const given = process.env[serverUrlVariable];
  const embedded = given ? undefined : await startOwnServer();
  const url = given ?? embedded?.url ?? '';
  const template = `eas_test_template_${process.pid}`;
  process.env[serverUrlVariable] = url;
  process.env[templateVariable] = template;
  await runOnServer(url, `CREATE DATABASE ${template}`);
  await migrate(withDatabaseName(url, template));
  const broker = await startSystemBroker();
  process.env[systemBrokerVariable] = broker.url;
  testServer.easTestServer = {
    async stop() {
      await broker.stop();
      await runOnServer(url, `DROP DATABASE ${template} WITH (FORCE)`);
      await embedded?.stop();
    },
  };
}

async function startOwnServer() {
  const folder = await mkdtemp(join(tmpdir(), 'eas-test-postgres-'));
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {}, isDurable: false });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
