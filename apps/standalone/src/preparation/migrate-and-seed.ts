import type { Config } from '../config.ts';
import { createTerminalLogger } from '../terminal.ts';
import { migrateAll } from './migrate-all.ts';
import type { Prepared, PrepareOrder } from './prepare-database.ts';
import { seed } from './seed.ts';

export async function migrateAndSeed(
  config: Config,
  { migrateUrl, setting, embeddedAppUrl, encryptionKey }: PrepareOrder,
): Promise<Prepared> {
  const { applied } = await migrateAll(config, migrateUrl, embeddedAppUrl);
  const seeded = await seed({
    config,
    databaseUrl: migrateUrl,
    setting,
    encryptionKey,
    logger: createTerminalLogger(() => false),
  });
  return { applied: applied.length, ...seeded };
}
