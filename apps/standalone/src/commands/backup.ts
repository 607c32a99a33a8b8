import { resolve } from 'node:path';
import { StartError } from '@eas/core';
import { openDatabase, openSecretBox } from '@eas/db';
import { readServerMajor } from '@eas/db/admin';
import { integer } from '@eas/runtime';
import { z } from 'zod';
import { dumpDatabase } from '../backup/dump.ts';
import { problemOf, recordIn } from '../backup/record.ts';
import { restoreDatabase } from '../backup/restore.ts';
import type { Config } from '../config.ts';
import { databaseAddress, shownAddress } from '../database-address.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { gigabytes } from '../diagnosis/finding.ts';
import { migrateAll } from '../preparation/migrate-all.ts';
import { createTerminalLogger, say } from '../terminal.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

export const backupCommand = defineCommand({
  usage: '<file>',
  about: 'writes the database into a file with pg_dump, even while the system is running; queues need no backup',
  maxWords: 1,
  async run({ words: [file] }, config) {
    if (!file) throw new StartError('Name the file to write.');
    const env = config.inheritedEnv;
    await withDatabase(
      config,
      async (url, setting) => {
        const begunMs = performance.now();
        const bytes = await dumpDatabase({ url, serverMajor: await readServerMajor(url), file: resolve(file), env });
        say(`wrote ${resolve(file)} (${gigabytes(bytes)})`);
        const made = { tool: 'pg_dump', ageMs: performance.now() - begunMs, bytes };
        await recordIn({ url, setting }, made).catch((error: unknown) => say(`not recorded: ${problemOf(error)}`));
      },
      { isOwner: true },
    );
    const key = config.encryptionKeys
      ? 'ENCRYPTION_KEY'
      : `${resolve(config.dataDir, 'encryption-key')} (ENCRYPTION_KEY)`;
    say(`keep ${key} as well, elsewhere: without it the secrets in this file cannot be read`);
  },
});

const restoreOptions = {
  yes: { type: 'boolean', about: 'confirms' },
  jobs: {
    type: 'string',
    default: '1',
    about: 'connections at the same time, up to 64; with 1 a failure leaves nothing',
  },
} as const;
const restoreValues = z.object({ jobs: integer(1, 64) });

export const restoreCommand = defineCommand({
  usage: '<file> [--jobs 4] --yes',
  about:
    'fills the empty database of MIGRATE_DATABASE_URL, else of DATABASE_DIRECT_URL or DATABASE_URL, from a backup with pg_restore, then migrates it and compares ENCRYPTION_KEY',
  options: restoreOptions,
  maxWords: 1,
  async run({ values, words }, config) {
    const [file] = words;
    if (!file) throw new StartError('Name the file to restore.');
    const { jobs } = restoreValues.parse({ jobs: values.jobs });
    const address = databaseAddress(config, true);
    if (!address) throw new StartError('Set DATABASE_URL to an empty database to restore into.');
    const where = shownAddress(address);
    if (!values.yes) throw new StartError(`This fills the database ${where}. Add --yes to confirm.`);
    await withDatabase(
      config,
      async (url, setting) => {
        const env = config.inheritedEnv;
        await restoreDatabase({ url, where, serverMajor: await readServerMajor(url), file: resolve(file), env, jobs });
        const { applied } = await migrateAll(config, url);
        say(
          `restored ${resolve(file)} into ${where}${applied.length > 0 ? `, applied ${applied.length} migrations` : ''}`,
        );
        await compareKey(config, { url, setting });
        say('the encryption key fits the data; start the system, with an empty Redis if it uses one');
      },
      { isOwner: true },
    );
  },
});

/** Throws a StartError when the data was encrypted with another key. */
async function compareKey(config: Config, address: { url: string; setting: string }): Promise<void> {
  const logger = createTerminalLogger(() => false);
  const encryptionKeys = encryptionKeyOf(config)
    .split(',')
    .map((key) => key.trim());
  const database = await openDatabase({ ...address, poolSize: 1, applicationName: 'restore', logger });
  await openSecretBox({ database, encryptionKeys, logger }).finally(() => database.close());
}
