import { describe, expect, it } from '@jest/globals';
import { databaseAddress } from './database-address.ts';

const pooled = { databaseUrl: 'postgresql://app@pooler/eas' };
const direct = { ...pooled, databaseDirectUrl: 'postgresql://app@db/eas' };
const owned = { ...direct, migrateDatabaseUrl: 'postgresql://owner@db/eas' };

describe('the address of commands and migrations', () => {
  it.each([
    ['commands', owned, false, 'DATABASE_DIRECT_URL', owned.databaseDirectUrl],
    ['migrations', owned, true, 'MIGRATE_DATABASE_URL', owned.migrateDatabaseUrl],
    ['migrations, where one role does everything,', direct, true, 'DATABASE_DIRECT_URL', direct.databaseDirectUrl],
    ['commands without a pooler', pooled, false, 'DATABASE_URL', pooled.databaseUrl],
    ['migrations without a pooler', pooled, true, 'DATABASE_URL', pooled.databaseUrl],
  ] as const)('of %s leads past the pooler', (_, settings, isOwner, setting, url) => {
    expect(databaseAddress(settings, isOwner)).toMatchObject({ setting, url });
  });

  it('is none where the database is embedded', () => {
    expect(databaseAddress({}, true)).toBeUndefined();
  });
});
