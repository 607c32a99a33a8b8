import { openDatabase, recordBackup, sqlStateOf } from '@eas/db';
import type { DatabaseAddress } from '@eas/db/admin';
import { createTerminalLogger } from '../terminal.ts';

type Made = Parameters<typeof recordBackup>[1];

/** Also in a database of an earlier release, which may have no table for it. */
export async function recordIn({ url, setting }: Pick<DatabaseAddress, 'url' | 'setting'>, made: Made): Promise<void> {
  const logger = createTerminalLogger(() => false);
  const options = { url, setting, poolSize: 1, applicationName: 'backup', logger, isAnyRelease: true };
  const database = await openDatabase(options);
  await recordBackup(database.db, made).finally(() => database.close());
}

/** A backup is good without its record: gives what prevented that. */
export const problemOf = (error: unknown): string =>
  sqlStateOf(error) === '42P01' ? 'run npm run db:migrate, then backup:record' : (error as Error).message;
