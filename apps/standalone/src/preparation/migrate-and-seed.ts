import { migrate } from '@eas/db/migrate';
import type { Config } from '../config.ts';
import { createTerminalLogger } from '../terminal.ts';
import type { Prepared, PrepareOrder } from './prepare-database.ts';
import { seed } from './seed.ts';

export async function migrateAndSeed(config: Config, { databaseUrl, encryptionKey }: PrepareOrder): Promise<Prepared> {
  const applied = await migrate(databaseUrl);
  const seeded = await seed({ config, databaseUrl, encryptionKey, logger: createTerminalLogger(() => false) });
  return { applied: applied.length, ...seeded };
}
