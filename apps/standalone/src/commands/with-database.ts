import { checkDatabase } from '@eas/db/admin';
import { runningEmbeddedUrl, startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import type { Config } from '../config.ts';
import { databaseAddress } from '../database-address.ts';
import { prepareFolder } from '../data-folder/prepare-folder.ts';
import { lockHolder, takeRunLock } from '../data-folder/run-lock.ts';
import { say } from '../terminal.ts';

export type WithDatabaseOptions = {
  /** Refuses while the system runs on the embedded database. */
  isExclusive?: boolean;
  /** As the role that owns the tables: MIGRATE_DATABASE_URL where it is set. */
  isOwner?: boolean;
};

/** The database of the settings, else the embedded one: that of the running system, or started for the command alone. */
export async function withDatabase<T>(
  config: Config,
  work: (databaseUrl: string) => Promise<T>,
  { isExclusive = false, isOwner = false }: WithDatabaseOptions = {},
): Promise<T> {
  const address = databaseAddress(config, isOwner);
  if (address) {
    await checkDatabase(address.url, address.setting);
    return work(address.url);
  }
  prepareFolder(config.dataDir);
  const holder = lockHolder(config.dataDir);
  if (holder !== undefined && !isExclusive) {
    const url = runningEmbeddedUrl(config.dataDir);
    if (url) return work(url);
  }
  const unlock = takeRunLock(config.dataDir);
  try {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log: say });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    unlock();
  }
}
