import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { emptyDatabase, withScratchDatabase } from '@eas/db/admin';
import { diffFromSchema, migrate } from '@eas/db/migrate';
import { baseUrlOf } from '../apps.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { forgetSecret } from '../data-folder/kept-secret.ts';
import { firstAdminLink, seed } from '../preparation/seed.ts';
import { StartError } from '@eas/core';
import { createTerminalLogger, say } from '../terminal.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-database.ts';

export const migrateCommand: Command = {
  usage: '',
  about: 'applies the migrations that the database lacks',
  run: (_, config) =>
    withDatabase(config, async (url) => {
      const applied = await migrate(url);
      applied.forEach((name) => say(`applied ${name}`));
      if (applied.length === 0) say('the database is up to date');
    }),
};

export const diffCommand: Command = {
  usage: '[name]',
  about: 'SQL from the migrations to prisma/schema: printed, or written as a new migration of that name',
  async run([name], config) {
    if (name !== undefined && !/^[a-z][a-z0-9_-]{0,60}$/.test(name)) {
      throw new StartError('The name of a migration is small letters, digits, _ and -.');
    }
    const sql = await withDatabase(config, (url) =>
      withScratchDatabase(url, async (scratchUrl) => {
        await migrate(scratchUrl);
        return diffFromSchema(scratchUrl);
      }),
    );
    if (sql.trim() === '' || sql.includes('empty migration')) return say('the migrations say what prisma/schema says');
    if (name === undefined) return say(sql);
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = join(config.root, 'prisma/migrations', `${stamp}_${name.replaceAll('-', '_')}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'migration.sql'), sql);
    say(`wrote ${relative(config.root, folder)}/migration.sql: read it, then npm run db:migrate`);
  },
};

export const resetCommand: Command = {
  usage: '[--yes]',
  about: 'empties the database, migrates and seeds it anew (--yes is needed with DATABASE_URL)',
  async run(args, config) {
    const { values } = parseArgs({ args, options: { yes: { type: 'boolean' } } });
    if (config.databaseUrl && !values.yes) {
      throw new StartError('This deletes everything in the database of DATABASE_URL: say --yes if that is meant.');
    }
    const encryptionKey = encryptionKeyOf(config);
    const logger = createTerminalLogger(() => false);
    await withDatabase(
      config,
      async (databaseUrl) => {
        await emptyDatabase(databaseUrl);
        say(`applied ${(await migrate(databaseUrl)).length} migrations to an empty database`);
        forgetSecret(config.dataDir, firstAdminLink);
        const { newKey, adminPath } = await seed({ config, databaseUrl, encryptionKey, logger });
        if (adminPath) say(`admin ${baseUrlOf(config)}${adminPath}`);
        if (newKey) say(`api key ${newKey}`);
      },
      { isExclusive: true },
    );
  },
};
