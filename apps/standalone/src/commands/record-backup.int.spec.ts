import { randomBytes } from 'node:crypto';
import { newestBackup } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { runFromTerminal } from './command.fixture.ts';

const test = useTestDatabase();
const encryptionKeys = [randomBytes(32).toString('base64')];
const run = (...line: string[]) =>
  runFromTerminal(['backup:record', ...line], { databaseUrl: test.url, encryptionKeys });
const newest = () => newestBackup(test.database.db);

describe('backup:record', () => {
  it('records that another tool made a backup just now', async () => {
    expect(await run('pgbackrest')).toEqual({ code: 0, out: 'recorded a backup by pgbackrest\n', err: '' });
    expect(await newest()).toMatchObject({ tool: 'pgbackrest', bytes: null });
    expect((await newest())?.ageSeconds).toBeLessThan(600);
  });

  it('takes the time that the backup has, and its size', async () => {
    const takenAt = new Date(Date.now() - 5_000);
    await run('cloudnative-pg', '--taken-at', takenAt.toISOString(), '--bytes', '4096');
    const rows = await test.database.db.query<{ takenAt: Date; bytes: number }>(
      `SELECT taken_at AS "takenAt", bytes FROM backups WHERE tool = 'cloudnative-pg'`,
    );
    expect(rows.map(({ bytes }) => bytes)).toEqual([4_096]);
    expect(Math.abs((rows[0]?.takenAt.getTime() ?? 0) - takenAt.getTime())).toBeLessThan(60_000);
  });

  it.each([
    [[], /^Name the tool/],
    [['Two Words'], /^Name the tool/],
    [['x', '--taken-at', 'yesterday'], /^--taken-at: /],
    [['x', '--taken-at', '2999-01-01T00:00:00Z'], /^--taken-at must not be in the future/],
    [['x', '--bytes=-1'], /^--bytes: /],
    [['x', '--bytes', '1 GB'], /^--bytes: /],
  ])('refuses %j and records nothing', async (line, sentence) => {
    const before = await test.database.db.query('SELECT * FROM backups ORDER BY tool');
    const { code, out, err } = await run(...line);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(sentence)]);
    expect(await test.database.db.query('SELECT * FROM backups ORDER BY tool')).toEqual(before);
  });
});
