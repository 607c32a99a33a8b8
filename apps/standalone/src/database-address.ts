import { withoutPassword } from '@eas/core';
import type { DatabaseAddress } from '@eas/db/admin';

type Addresses = Readonly<
  Partial<Record<'databaseUrl' | 'databaseDirectUrl' | 'migrateDatabaseUrl', string | undefined>>
>;

/**
 * Of the database for what needs sessions of its own, which a connection pooler does not give: migrations, the seed,
 * backups and operator commands. `isOwner`: as the role that owns the tables. Undefined for the embedded database.
 */
export function databaseAddress(config: Addresses, isOwner: boolean): DatabaseAddress | undefined {
  const { databaseUrl, databaseDirectUrl, migrateDatabaseUrl } = config;
  if (isOwner && migrateDatabaseUrl) return { url: migrateDatabaseUrl, setting: 'MIGRATE_DATABASE_URL', isOwner };
  if (databaseDirectUrl) return { url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL', isOwner };
  return databaseUrl ? { url: databaseUrl, setting: 'DATABASE_URL', isOwner } : undefined;
}

/** For messages: without the password, with the setting. */
export const shownAddress = ({ url, setting }: DatabaseAddress): string => `${withoutPassword(url)} (${setting})`;
