import { StartError } from '@eas/core';
import { checkDatabase, explainRefusal, grantAppRole, grantStatements } from '@eas/db/admin';
import { roleOf } from '../preparation/migrate-all.ts';
import { say } from '../terminal.ts';
import { defineCommand } from './command.ts';

const options = { sql: { type: 'boolean', about: 'prints the statements, for a superuser to run' } } as const;

export const rolesCommand = defineCommand({
  usage: '[--sql]',
  about:
    'makes the role of DATABASE_URL if needed and lets it read and write every row but change no table; MIGRATE_DATABASE_URL names the owner',
  options,
  async run({ values }, config) {
    const { databaseUrl, migrateDatabaseUrl: migrateUrl } = config;
    if (!databaseUrl || !migrateUrl)
      throw new StartError(
        'Set MIGRATE_DATABASE_URL to the role that owns the tables, and DATABASE_URL to that of the apps.',
      );
    const role = roleOf(databaseUrl);
    if (values.sql) {
      const database = decodeURIComponent(new URL(migrateUrl).pathname.slice(1));
      const statements = grantStatements(role, database, ['public', 'queue']);
      return [`CREATE ROLE "${role}" LOGIN PASSWORD '…'`, ...statements].forEach((statement) => say(`${statement};`));
    }
    await checkDatabase(migrateUrl, 'MIGRATE_DATABASE_URL');
    const password = decodeURIComponent(new URL(databaseUrl).password);
    const address = { url: migrateUrl, setting: 'MIGRATE_DATABASE_URL', isOwner: true };
    const grant = await grantAppRole({ migrateUrl, role, password }).catch((error: unknown) => {
      throw explainRefusal(error, address);
    });
    say(`${grant === 'made' ? 'made' : 'granted'} ${role}`);
    await checkDatabase(databaseUrl);
  },
});
