import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { emptyDatabase, withScratchDatabase } from '@eas/db/admin';
import { diffFromSchema, migrate } from '@eas/db/migrate';
import { knownBaseUrl } from '../data-folder/base-url.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { forgetSecret } from '../data-folder/kept-secret.ts';
import { firstAdminLink, seed, type Seeded } from '../preparation/seed.ts';
import { StartError, withoutPassword } from '@eas/core';
import type { Config } from '../config.ts';
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
  usage: '--yes',
  about: 'deletes everything in the database, migrates it and fills it as a first start does',
  async run(args, config) {
    const { values } = parseArgs({ args, options: { yes: { type: 'boolean' } } });
    if (!values.yes) {
      const where = config.databaseUrl ? withoutPassword(config.databaseUrl) : config.dataDir;
      throw new StartError(`This deletes everything in the database (${where}): add --yes if that is meant.`);
    }
    const encryptionKey = encryptionKeyOf(config);
    const logger = createTerminalLogger(() => false);
    await withDatabase(
      config,
      async (databaseUrl) => {
        await emptyDatabase(databaseUrl);
        say(`applied ${(await migrate(databaseUrl)).length} migrations to an empty database`);
        forgetSecret(config.dataDir, firstAdminLink);
        tell(config, await seed({ config, databaseUrl, encryptionKey, logger }));
      },
      { isExclusive: true },
    );
  },
};

export const seedCommand: Command = {
  usage: '',
  about:
    'gives a migrated database what a first start does: agents, workflows, a first API key, a first admin or a link',
  async run(_, config) {
    const encryptionKey = encryptionKeyOf(config);
    const logger = createTerminalLogger(() => false);
    await withDatabase(config, async (databaseUrl) =>
      tell(config, await seed({ config, databaseUrl, encryptionKey, logger })),
    );
  },
};

function tell(config: Config, { newKey, adminPath, notices }: Seeded): void {
  notices.forEach(say);
  if (adminPath) say(`admin ${knownBaseUrl(config)}${adminPath}`);
  say(newKey ? `api key ${newKey}` : `the first API key is that of ${keyPlace(config)}`);
}

const keyPlace = ({ bootstrapApiKey, dataDir }: Config): string =>
  bootstrapApiKey ? 'BOOTSTRAP_API_KEY' : join(dataDir, 'first-api-key');
