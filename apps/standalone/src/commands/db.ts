import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { emptyDatabase, withScratchDatabase } from '@eas/db/admin';
import { diffFromSchema, migrate, migrationSql } from '@eas/db/migrate';
import { databaseAddress, shownAddress } from '../database-address.ts';
import { knownBaseUrl } from '../data-folder/base-url.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { forgetSecret } from '../data-folder/kept-secret.ts';
import { migrateAll } from '../preparation/migrate-all.ts';
import { firstAdminLink, seed, type Seeded } from '../preparation/seed.ts';
import { StartError } from '@eas/core';
import type { Config } from '../config.ts';
import { createTerminalLogger, say } from '../terminal.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrateCommand = defineCommand({
  usage: '',
  about: 'applies pending migrations',
  run: (_, config) =>
    withDatabase(
      config,
      async (url) => {
        const { applied, app } = await migrateAll(config, url);
        applied.forEach((name) => say(`applied ${name}`));
        if (applied.length === 0) say('the database is up to date');
        if (app?.grant === 'unknown') say(`the role ${app.role} of DATABASE_URL is not there yet: run db:roles`);
      },
      { isOwner: true },
    ),
});

export const diffCommand = defineCommand({
  usage: '[name]',
  about: 'prints the SQL from the migrations to prisma/schema, or writes it as a new migration',
  maxWords: 1,
  async run({ words: [name] }, config) {
    if (name !== undefined && !/^[a-z][a-z0-9_-]{0,60}$/.test(name)) {
      throw new StartError('The name of a migration must consist of lowercase letters, digits, _ and -.');
    }
    const sql = await withDatabase(
      config,
      (url) =>
        withScratchDatabase(url, async (scratchUrl) => {
          await migrate(scratchUrl);
          return migrationSql(await diffFromSchema(scratchUrl));
        }),
      { isOwner: true },
    );
    if (sql.trim() === '' || sql.includes('empty migration')) return say('the migrations match prisma/schema');
    if (name === undefined) return say(sql);
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = join(config.root, 'prisma/migrations', `${stamp}_${name.replaceAll('-', '_')}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'migration.sql'), sql);
    say(`wrote ${relative(config.root, folder)}/migration.sql: review it, then run npm run db:migrate`);
  },
});

const resetOptions = { yes: { type: 'boolean', about: 'confirms' } } as const;

export const resetCommand = defineCommand({
  usage: '--yes',
  about: 'deletes everything in the database, then migrates and seeds it like a first start',
  options: resetOptions,
  async run({ values }, config) {
    if (!values.yes) {
      const address = databaseAddress(config, true);
      const where = address ? shownAddress(address) : config.dataDir;
      throw new StartError(`This deletes everything in the database (${where}). Add --yes to confirm.`);
    }
    const encryptionKey = encryptionKeyOf(config);
    const logger = createTerminalLogger(() => false);
    await withDatabase(
      config,
      async (databaseUrl, setting) => {
        await emptyDatabase(databaseUrl);
        const { applied } = await migrateAll(config, databaseUrl);
        say(`applied ${applied.length} migrations to an empty database`);
        forgetSecret(config.dataDir, firstAdminLink);
        printSeeded(config, await seed({ config, databaseUrl, setting, encryptionKey, logger }));
      },
      { isExclusive: true, isOwner: true },
    );
  },
});

export const seedCommand = defineCommand({
  usage: '',
  about: 'seeds a migrated database like a first start: agents, workflows, an API key, an administrator or a link',
  async run(_, config) {
    const encryptionKey = encryptionKeyOf(config);
    const logger = createTerminalLogger(() => false);
    await withDatabase(config, async (databaseUrl, setting) =>
      printSeeded(config, await seed({ config, databaseUrl, setting, encryptionKey, logger })),
    );
  },
});

function printSeeded(config: Config, { newKey, adminPath, notices }: Seeded): void {
  notices.forEach(say);
  if (adminPath) say(`admin ${knownBaseUrl(config)}${adminPath}`);
  say(newKey ? `api key ${newKey}` : `the first API key is the one in ${keyLocation(config)}`);
}

const keyLocation = ({ bootstrapApiKey, dataDir }: Config): string =>
  bootstrapApiKey ? 'BOOTSTRAP_API_KEY' : join(dataDir, 'first-api-key');
