import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newestBackup, recordBackup } from './backup.store.ts';

const test = useTestDatabase();

describe('recorded backups', () => {
  it('are none in a new database', async () => {
    expect(await newestBackup(test.database.db)).toBeUndefined();
  });

  it('have the moment at which they were begun, and the newest of all tools counts', async () => {
    await test.stopClock();
    await recordBackup(test.database.db, { tool: 'pgbackrest', ageMs: 3_600_000 });
    await recordBackup(test.database.db, { tool: 'pg_dump', ageMs: 60_000, bytes: 5_000_000_000 });
    expect(await newestBackup(test.database.db)).toMatchObject({
      tool: 'pg_dump',
      ageSeconds: 60,
      bytes: 5_000_000_000,
    });
    await test.shiftClock(7_200);
    await recordBackup(test.database.db, { tool: 'pgbackrest', ageMs: 0 });
    expect(await newestBackup(test.database.db)).toMatchObject({ tool: 'pgbackrest', ageSeconds: 0, bytes: null });
    expect(await test.database.db.query('SELECT FROM backups')).toHaveLength(2);
  });

  it('are not replaced by an older one of the same tool, which ended later', async () => {
    const before = await newestBackup(test.database.db);
    await recordBackup(test.database.db, { tool: 'pgbackrest', ageMs: 600_000, bytes: 1 });
    expect(await newestBackup(test.database.db)).toEqual(before);
  });

  it.each(['', 'With Space', '-x', 'x'.repeat(41)])('have a short name of their tool: not "%s"', async (tool) => {
    await expect(recordBackup(test.database.db, { tool, ageMs: 0 })).rejects.toMatchObject({
      code: '23514',
    });
  });
});
