import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../database.ts';
import { distinctKeysSql } from './distinct-keys.ts';
import { isLockedRowSql } from './locked-rows.ts';
import { firstRowsSql, rowByKeySql, rowsByKeySql } from './rows-of-each.ts';
import { inFreshIndexOrderSql, inIndexOrderSql } from './transaction-settings.ts';

const test = useTestDatabase();
const tenantId = 'tnt_plans';
const rows = 20_000;

const headSql = `SELECT at FROM planned WHERE owner = 'owner 1' AND due_at <= app_now() ORDER BY due_at LIMIT 10`;
const ownersSql = (where = 'true') =>
  `WITH RECURSIVE ${distinctKeysSql('owners', { from: 'planned', column: 'owner', where })} SELECT owner FROM owners`;
const oldest = { table: 'planned', where: `owner = 'owner 1' AND due_at <= app_now()`, orderBy: 'due_at', limit: 3 };
const changeSql = `
  UPDATE planned SET owner = owner WHERE ${isLockedRowSql({ ...oldest, lock: 'no key' })} RETURNING at`;

const byKeySql = `
  SELECT p.at FROM unnest($1::int[]) AS wanted (at)
  ${rowByKeySql('p', { from: 'planned', where: `owner = 'owner 1' AND at = wanted.at` })}`;

const firstOfEachSql = `
  SELECT p.at FROM unnest('{owner 1,owner 2}'::text[]) AS wanted (owner)
  ${firstRowsSql('p', { from: 'planned', where: 'owner = wanted.owner', orderBy: 'due_at', limit: 3 })}`;
const rowsByKeysSql = `
  SELECT p.at FROM unnest($1::int[]) AS wanted (at)
  ${rowsByKeySql('p', { from: 'planned', where: `owner = 'owner 1' AND at = wanted.at` })}`;

const works: Works = [
  ['the head of a backlog in index order', ({ db }) => db.query(inIndexOrderSql).then(() => db.query(headSql))],
  ['the head of a backlog of new rows', ({ db }) => db.query(inFreshIndexOrderSql).then(() => db.query(headSql))],
  ['distinct keys', ({ db }) => db.query(ownersSql())],
  ['rows by their keys', ({ db }) => db.query(byKeySql, [[1, 5, 9]])],
  ['all rows of each key', ({ db }) => db.query(rowsByKeysSql, [[1, 5, 9]])],
  ['the first rows of each key', ({ db }) => db.query(firstOfEachSql)],
  ['rows that are locked and changed', ({ db }) => db.query(inIndexOrderSql).then(() => db.query(changeSql))],
];

async function makeTable(): Promise<void> {
  const { db } = test.database;
  await db.query('DROP TABLE IF EXISTS planned');
  await db.query('CREATE TABLE planned (owner text, due_at timestamptz, at int)');
  await db.query('CREATE INDEX planned_due ON planned (owner, due_at)');
  // Newer: a planner that knows no difference takes it, and sorts.
  await db.query('ALTER TABLE planned ADD PRIMARY KEY (owner, at)');
  await db.query('ALTER TABLE planned SET (autovacuum_enabled = off)');
}

const fill = () =>
  test.database.db.query(
    `INSERT INTO planned SELECT 'owner ' || n % 4, app_now() - n * interval '1 second', n
     FROM generate_series(1, ${rows}) AS n`,
  );

describe.each(emptyTables(['planned']))('statements that were planned for %s table, which is full now', (_, vacuum) => {
  let oneConnection: Database;
  beforeAll(async () => {
    await makeTable();
    await test.database.db.query(vacuum);
    oneConnection = await planEarly(test.url, tenantId, works);
    await fill();
  });
  afterAll(() => oneConnection.close());

  it.each(works)('read for %s no more than it needs', async (_title, work) => {
    const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
    expect(read['planned']).toBeLessThanOrEqual(12);
  });
});

describe('settings for index order', () => {
  it('last until the transaction ends, and hold in no other one', async () => {
    const settings = `SELECT current_setting('enable_sort') AS sort, current_setting('enable_bitmapscan') AS bitmap`;
    const within = await test.database.inTransaction(tenantId, async ({ db }) => {
      await db.query(inFreshIndexOrderSql);
      return db.query(settings);
    });
    expect([within, await test.database.db.query(settings)]).toEqual([
      [{ sort: 'off', bitmap: 'off' }],
      [{ sort: 'on', bitmap: 'on' }],
    ]);
  });
});

describe('distinct keys', () => {
  beforeAll(() => makeTable().then(fill));

  it('are all found, each once', async () => {
    const owners = [0, 1, 2, 3].map((n) => ({ owner: `owner ${n}` }));
    expect(await test.database.db.query(ownersSql())).toEqual(owners);
  });

  it('are those of a condition, and none where no row fulfils it', async () => {
    expect(await test.database.db.query(ownersSql('at <= 2'))).toEqual([{ owner: 'owner 1' }, { owner: 'owner 2' }]);
    expect(await test.database.db.query(ownersSql('at < 0'))).toEqual([]);
  });
});

describe('rows that are locked and changed', () => {
  beforeAll(() => makeTable().then(fill));

  it('are not those that another transaction has locked', async () => {
    const taken = await test.database.inTransaction(tenantId, async ({ db }) => {
      const first = await db.query<{ at: number }>(changeSql);
      const others = await test.database.inTransaction(tenantId, (other) => other.db.query<{ at: number }>(changeSql));
      return [...first, ...others].map(({ at }) => at);
    });
    expect(taken.toSorted((a, b) => a - b)).toEqual([5, 4, 3, 2, 1, 0].map((n) => rows - 3 - 4 * n));
  });
});
