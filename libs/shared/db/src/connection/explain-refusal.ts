import { StartError, withoutPassword } from '@eas/core';
import { sqlStateOf } from './sql-error.ts';

/** `setting`: the source of the address. `isOwner`: the role has to own the tables. */
export type DatabaseAddress = { url: string; setting: string; isOwner?: boolean };

/** What is wrong with a database as a whole, or with its role, by SQLSTATE, and what to do. */
const reasons: Readonly<Record<string, (address: DatabaseAddress) => string>> = {
  '25006': ({ setting }) =>
    `it is read-only, like a replica or with default_transaction_read_only = on. Set ${setting} to the primary`,
  '53100': () => 'its disk is full. Free space on the disk of Postgres',
  '42501': ({ isOwner }) =>
    isOwner
      ? 'its role may not do this. Set MIGRATE_DATABASE_URL to the role that owns the tables'
      : 'its role may not do this. Run npm run cmd -- db:roles, which grants what the role of DATABASE_URL needs',
};

/** SQLSTATEs of missing tables and functions. */
const notMigrated: readonly unknown[] = ['42P01', '42883'];

/** Whether Postgres refused because of the database as a whole or of its role, and not because of the statement. */
export const isRefusal = (error: unknown): boolean => (sqlStateOf(error) ?? '') in reasons;

/** A sentence for an error of Postgres, with the address and its setting. Returns any other error unchanged. */
export function explainRefusal(error: unknown, address: DatabaseAddress): unknown {
  const state = error instanceof StartError ? undefined : sqlStateOf(error);
  if (state === undefined) return error;
  const shown = `${withoutPassword(address.url)} (${address.setting})`;
  if (notMigrated.includes(state))
    return new StartError(`The database at ${shown} is not migrated. Run npm run db:migrate.`, error);
  const reason = reasons[state]?.(address) ?? `${(error as Error).message.replace(/\.$/, '')} (SQLSTATE ${state})`;
  return new StartError(`Postgres at ${shown} cannot be used: ${reason}.`, error);
}
