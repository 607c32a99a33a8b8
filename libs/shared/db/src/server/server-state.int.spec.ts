import { randomBytes } from 'node:crypto';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { grantAppRole } from '../migrations/app-role.ts';
import { readReplication, readServerState, readStorage } from './server-state.read-model.ts';

const test = useTestDatabase();
const role = `eas_app_${randomBytes(4).toString('hex')}`;
const owner = (sql: string) => test.database.db.query<Record<string, unknown>>(sql, [], { isPrepared: false });

/** A session of the owner, for as long as `work` runs. */
async function withSession<T>(work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ connectionString: test.url });
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

const burnTransactions = async (count: number) => {
  for (let n = 0; n < count; n += 1) await owner('SELECT pg_current_xact_id()');
};

describe('the state of the server', () => {
  it('has the age of a transaction that is held open, and how many transactions it holds back', async () => {
    await withSession(async (session) => {
      await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await session.query('SELECT pg_current_xact_id()');
      await burnTransactions(20);
      await eventually(async () => (await readServerState(test.database.db)).oldestSeconds.session > 0.5);
      expect((await readServerState(test.database.db)).heldBack.session).toBeGreaterThanOrEqual(20);
    });
    await eventually(async () => (await readServerState(test.database.db)).heldBack.session < 20);
    expect((await readServerState(test.database.db)).oldestSeconds.prepared).toBe(0);
  });

  it('counts connections, and those that clients can have', async () => {
    const before = await readServerState(test.database.db);
    const [{ usable } = { usable: 0 }] = await test.database.db.query<{ usable: number }>(
      `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS usable`,
    );
    expect(before.maxConnections).toBe(usable);
    const held = await Promise.all(
      Array.from({ length: 15 }, async () => {
        const client = new pg.Client({ connectionString: test.url });
        await client.connect();
        return client;
      }),
    );
    // Other suites come and go on the same server.
    await eventually(async () => (await readServerState(test.database.db)).connections >= 15);
    await Promise.all(held.map((client) => client.end()));
  });

  it('has the distance to wraparound, with the age at which autovacuum freezes', async () => {
    const before = await readServerState(test.database.db);
    await burnTransactions(30);
    const { unfrozen, freezeAt } = await readServerState(test.database.db);
    expect(unfrozen.transaction).toBeGreaterThanOrEqual(before.unfrozen.transaction + 30);
    expect(unfrozen.multixact).toBeGreaterThanOrEqual(0);
    expect(freezeAt).toEqual({ transaction: 200_000_000, multixact: 400_000_000 });
  });
});

describe('what the database takes', () => {
  it('has its size and that of the WAL', async () => {
    const before = await readStorage(test.database.db);
    await owner('CREATE TABLE filler AS SELECT repeat(md5(n::text), 30) AS text FROM generate_series(1, 5000) AS n');
    const after = await readStorage(test.database.db);
    expect(after.databaseBytes - before.databaseBytes).toBeGreaterThan(4_000_000);
    expect(after.walBytes).toBeGreaterThan(1_000_000);
  });

  it('names the table with the most dead rows for its size, and counts those of all', async () => {
    await owner('CREATE TABLE large (n int) WITH (autovacuum_enabled = false)');
    await owner('CREATE TABLE churned (n int) WITH (autovacuum_enabled = false)');
    await owner('INSERT INTO large SELECT generate_series(1, 300000)');
    await owner('INSERT INTO churned SELECT generate_series(1, 60000)');
    await owner('DELETE FROM large WHERE n <= 70000');
    await owner('DELETE FROM churned WHERE n <= 59000');
    await eventually(async () => (await readStorage(test.database.db)).worstTable.dead >= 59_000);
    const { worstTable, rows } = await readStorage(test.database.db);
    expect(worstTable).toEqual({ live: 1_000, dead: 59_000 });
    expect(rows.dead).toBeGreaterThanOrEqual(129_000);
    expect(rows.live).toBeGreaterThanOrEqual(231_000);
    await owner('VACUUM large, churned');
    await eventually(async () => (await readStorage(test.database.db)).worstTable.dead < 50_000);
  });
});

describe('a role that sees only itself', () => {
  let app: Database;
  beforeAll(async () => {
    await grantAppRole({ migrateUrl: test.url, role, password: 'of the apps' });
    const url = new URL(test.url);
    Object.assign(url, { username: role, password: 'of the apps' });
    app = await openDatabase({ url: url.href, poolSize: 2, applicationName: 'app', logger: silentLogger });
  });
  afterAll(async () => {
    await app.close();
    await owner(`DROP OWNED BY "${role}"`);
    await owner(`DROP ROLE "${role}"`);
  });

  it('gets everything that it may read, and no number for what is hidden', async () => {
    const state = await readServerState(app.db);
    expect(state).toMatchObject({ role, seesOthers: false, seesWal: false });
    expect(state.connections).toBeGreaterThan(1);
    expect(state.unfrozen.transaction).toBeGreaterThan(0);
    expect(await readReplication(app.db)).toEqual({ standbys: undefined, slotBytes: { active: 0, inactive: 0 } });
    const storage = await readStorage(app.db);
    expect(storage.databaseBytes).toBeGreaterThan(1_000_000);
    expect(storage.walBytes).toBeUndefined();
  });

  it('sees what sessions of others hold back', async () => {
    await withSession(async (session) => {
      await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await session.query('SELECT pg_current_xact_id()');
      await burnTransactions(20);
      expect((await readServerState(app.db)).heldBack.session).toBeGreaterThanOrEqual(20);
    });
  });

  it('gets the rest with pg_monitor', async () => {
    await owner(`GRANT pg_monitor TO "${role}"`);
    expect(await readServerState(app.db)).toMatchObject({ seesOthers: true, seesWal: true });
    expect((await readReplication(app.db)).standbys).toEqual({ count: 0, lagBytes: 0, lagSeconds: 0 });
    expect((await readStorage(app.db)).walBytes).toBeGreaterThan(1_000_000);
  });
});
