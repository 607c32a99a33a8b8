import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withScratchDatabase } from './admin.ts';
import { migrate } from './migrate.ts';

const test = useTestDatabase();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eas-migrations-'));
  write('1_tables', 'CREATE TABLE a (id int); CREATE TABLE b (id int); INSERT INTO b VALUES (1), (1);');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

/** `busy` is a session in which a transaction has read table b, as a dump does. */
async function whileDumping(work: (url: string, busy: pg.Client) => Promise<void>): Promise<void> {
  await withScratchDatabase(test.url, async (url) => {
    await migrate(url, { folder });
    const busy = new pg.Client({ connectionString: url });
    await busy.connect();
    await busy.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM b');
    await work(url, busy).finally(() => busy.end());
  });
}

describe('a migration of a table that a long transaction uses', () => {
  it('lets readers through while it waits, reports that, and continues when the table is free', async () => {
    await whileDumping(async (url, busy) => {
      write('2_more', 'CREATE TABLE c (id int);');
      write('3_columns', 'ALTER TABLE a ADD COLUMN more int; ALTER TABLE b ADD COLUMN more int;');
      const said: string[] = [];
      const migrating = migrate(url, { folder, pauseMs: 500, onWait: (sentence) => said.push(sentence) });
      const reader = new pg.Client({ connectionString: url });
      await reader.connect();
      await eventually(async () => {
        const { rows } = await reader.query(`SELECT FROM pg_locks WHERE relation = 'b'::regclass AND NOT granted`);
        return rows.length > 0;
      });
      await reader.query('SELECT FROM b');
      await eventually(() => said.length > 0);
      expect(said[0]).toBe('3_columns waits for a table that another transaction uses; trying again in 0.5 s');
      await busy.query('COMMIT');
      expect(await migrating).toEqual(['2_more', '3_columns']);
      await reader.query('SELECT a.more, b.more FROM a, b');
      await reader.end();
    });
  });

  it('is given up after some tries with nothing applied, and can be run again', async () => {
    await whileDumping(async (url, busy) => {
      write('2_columns', 'ALTER TABLE a ADD COLUMN more int; ALTER TABLE b ADD COLUMN more int;');
      await expect(migrate(url, { folder, pauseMs: 10, tries: 2 })).rejects.toThrow(
        '2_columns was not applied: another transaction, such as a backup, uses a table that it changes.',
      );
      await busy.query('COMMIT');
      await busy.query('ALTER TABLE a ADD COLUMN more int; ALTER TABLE a DROP COLUMN more');
      expect(await migrate(url, { folder })).toEqual(['2_columns']);
    });
  });
});

describe('an index that is built concurrently', () => {
  const invalid = async (client: pg.Client) =>
    (await client.query('SELECT FROM pg_index WHERE NOT indisvalid')).rows.length;

  it('waits for older transactions, while other processes migrate too', async () => {
    await whileDumping(async (url, busy) => {
      write('2_index', '-- For lists.\nCREATE INDEX CONCURRENTLY "b_id_idx" ON "b" ("id");\n');
      const migrating = Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
      const watcher = new pg.Client({ connectionString: url });
      await watcher.connect();
      const isBuilding = async () => (await invalid(watcher)) === 1;
      await eventually(isBuilding);
      // Longer than the lock time-out of a migration.
      await new Promise((resolve) => setTimeout(resolve, 3_500));
      expect(await isBuilding()).toBe(true);
      await busy.query('COMMIT');
      expect((await migrating).flat()).toEqual(['2_index']);
      expect(await isBuilding()).toBe(false);
      await watcher.end();
    });
  });

  it('is built again when it failed or was interrupted', async () => {
    await whileDumping(async (url, busy) => {
      await busy.query('COMMIT');
      write('2_index', 'CREATE UNIQUE INDEX CONCURRENTLY "b_id_key" ON "b" ("id");');
      await expect(migrate(url, { folder })).rejects.toThrow('could not create unique index "b_id_key"');
      expect(await invalid(busy)).toBe(1);
      await busy.query('TRUNCATE b');
      expect(await migrate(url, { folder })).toEqual(['2_index']);
      expect(await invalid(busy)).toBe(0);
    });
  });
});
