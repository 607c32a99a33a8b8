import { checkDatabase, type DatabaseAddress, explainRefusal } from '@eas/db/admin';
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

/**
 * The database of the settings, else the embedded one: that of the running system, or started for the command alone.
 * Throws a StartError that names the address and its setting for an error that Postgres gives.
 */
export async function withDatabase<T>(
  config: Config,
  work: (databaseUrl: string, setting: string) => Promise<T>,
  { isExclusive = false, isOwner = false }: WithDatabaseOptions = {},
): Promise<T> {
  const address = databaseAddress(config, isOwner);
  if (address) {
    await checkDatabase(address.url, address.setting);
    return workOn(address, work);
  }
  prepareFolder(config.dataDir);
  const holder = lockHolder(config.dataDir);
  if (holder !== undefined && !isExclusive) {
    const url = runningEmbeddedUrl(config.dataDir);
    if (url) return workOn({ url, setting: 'DATA_DIR', isOwner }, work);
  }
  const unlock = takeRunLock(config.dataDir);
  try {
    const server = await startEmbeddedPostgres({ dataDir: config.dataDir, log: say });
    try {
      return await workOn({ url: server.url, setting: 'DATA_DIR', isOwner }, work);
    } finally {
      await server.stop();
    }
  } finally {
    unlock();
  }
}

async function workOn<T>(
  address: DatabaseAddress,
  work: (databaseUrl: string, setting: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(address.url, address.setting);
  } catch (error) {
    throw explainRefusal(error, address);
  }
}
