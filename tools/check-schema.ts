// Compares a freshly migrated database with prisma/schema.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import { diffFromSchema, migrate } from '@eas/db/migrate';

const folder = await mkdtemp(join(tmpdir(), 'eas-check-schema-'));
const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
try {
  const applied = await migrate(server.url);
  const difference = (await diffFromSchema(server.url)).trim();
  const isSame = difference === '' || difference === '-- This is an empty migration.';
  process.stdout.write(`${applied.length} migrations applied, ${isSame ? 'no drift' : `drift:\n${difference}`}\n`);
  process.exitCode = isSame ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
