import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from './database.ts';

const test = useTestDatabase();
let opened: Database | undefined;
afterEach(() => opened?.close());

const open = async (url: string, directUrl?: string, poolSize = 2) =>
  (opened = await openDatabase({ url, directUrl, poolSize, applicationName: 'test', logger: silentLogger }));
const limitsOf = ({ db }: Database) =>
  db.query(`SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`);

describe('an open database', () => {
  it('is of use once the newest migration is there', async () => {
    const database = await open(test.url);
    const rename = (from: string, to: string) =>
      test.database.db.query(`UPDATE _prisma_migrations SET migration_name = '${to}' WHERE migration_name = '${from}'`);
    const [newest] = await test.database.db.query<{ name: string }>(
      'SELECT max(migration_name) AS name FROM _prisma_migrations',
    );
    const name = newest?.name ?? '';
    await rename(name, 'older');
    await expect(database.ping()).rejects.toThrow(`lacks the migration ${name}`);
    await rename('older', name);
    await database.ping();
    await database.ping();
  });

  it('ends transactions that stand idle, but where a pooler has that limit', async () => {
    expect(await limitsOf(await open(test.url))).toEqual([{ setting: '60000' }]);
    await opened?.close();
    expect(await limitsOf(await open(test.url, test.url))).toEqual([{ setting: '0' }]);
  });
});

describe('the connections of a process', () => {
  it('are shared by tenants: transactions of one that wait for each other hold up no other', async () => {
    const { inTransaction } = await open(test.url, undefined, 4);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const held = Array.from({ length: 10 }, () =>
      inTransaction('tnt_greedy', async ({ db }) => {
        await db.query('SELECT 1');
        begun += 1;
        await released;
      }),
    );
    try {
      await eventually(() => begun >= 2);
      await inTransaction('tnt_honest', ({ db }) => db.query('SELECT 1'));
      expect(begun).toBe(2);
    } finally {
      release();
    }
    await Promise.all(held);
    expect(begun).toBe(10);
  });
});
