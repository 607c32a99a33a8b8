import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { startSilentProxy } from '@eas/testing/silent-proxy';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { limitOptions, readMissingSettings } from './connection/session-settings.ts';
import { type Database, openDatabase } from './database.ts';

const test = useTestDatabase();
let opened: Database | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

const open = async (url: string, directUrl?: string, poolSize = 2) =>
  (opened = await openDatabase({ url, directUrl, poolSize, applicationName: 'test', logger: silentLogger }));
const limitsOf = ({ db }: Database) =>
  db.query(`SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`);

describe('an open database', () => {
  const withMigration = async (change: { from: string; to: string }, work: () => Promise<unknown>) => {
    const rename = (from: string, to: string) =>
      test.database.db.query('UPDATE _prisma_migrations SET migration_name = $2 WHERE migration_name = $1', [from, to]);
    await rename(change.from, change.to);
    await work().finally(() => rename(change.to, change.from));
  };
  const newest = async () => {
    const [row] = await test.database.db.query<{ name: string }>(
      'SELECT max(migration_name) AS name FROM _prisma_migrations',
    );
    return row?.name ?? '';
  };
  const addMigration = (name: string) =>
    test.database.db.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name) VALUES ($1, '', now(), $1)`,
      [name],
    );
  const removeMigration = (name: string) =>
    test.database.db.query('DELETE FROM _prisma_migrations WHERE id = $1', [name]);

  it('has every migration of this release', async () => {
    const name = await newest();
    await withMigration({ from: name, to: 'older' }, () =>
      expect(open(test.url)).rejects.toThrow(
        `(DATABASE_URL) is behind this release: 1 migrations are missing, the last is ${name}. Run npm run db:migrate.`,
      ),
    );
    const { ping } = await open(test.url);
    await ping();
    // As after a restore of an older backup.
    await withMigration({ from: name, to: 'older' }, () =>
      expect(ping()).rejects.toThrow(`the database lacks the migration ${name}`),
    );
    await ping();
  });

  it('closes soon although its connections fell silent', async () => {
    const proxy = await startSilentProxy(test.url);
    const database = await openDatabase({ url: proxy.url, poolSize: 2, applicationName: 'test', logger: silentLogger });
    let isListening = false;
    database.listener.on('work', () => (isListening = true));
    await eventually(() => isListening);
    expect(proxy.silence()).toBeGreaterThan(1);
    let isClosed = false;
    void database.close().then(() => (isClosed = true));
    await eventually(() => isClosed);
    proxy.close();
  });

  it('can have migrations of a newer release, unless one of them removed something', async () => {
    await addMigration('99990101000000_more');
    await (await open(test.url)).ping();
    await opened?.close();
    opened = undefined;
    await addMigration('99990101000001_less_contract');
    await expect(open(test.url)).rejects.toThrow(
      'is ahead of this release: the migration 99990101000001_less_contract removed what this release needs.',
    );
    await removeMigration('99990101000000_more');
    await removeMigration('99990101000001_less_contract');
  });

  it('sets for its connections what its statements need, unless a pooler has these settings', async () => {
    const { db } = await open(test.url);
    expect(await readMissingSettings(db)).toEqual([]);
    await opened?.close();
    const missing = await readMissingSettings((await open(test.url, test.url)).db);
    expect(missing).toEqual(
      expect.arrayContaining([
        { name: 'enable_seqscan', value: 'off' },
        { name: 'random_page_cost', value: '1.1' },
      ]),
    );
  });

  it('does not prune partitions on a Postgres that may crash by that', async () => {
    const [server] = await (
      await open(test.url)
    ).db.query<{ version: number; pruning: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('enable_partition_pruning') AS pruning`,
    );
    const mayCrash = server && server.version >= 180000 && server.version < 180006;
    expect(server?.pruning).toBe(mayCrash ? 'off' : 'on');
  });

  it('ends idle transactions, unless a pooler has that limit', async () => {
    expect(await limitsOf(await open(test.url))).toEqual([{ setting: '10000' }]);
    await opened?.close();
    expect(await limitsOf(await open(test.url, test.url))).toEqual([{ setting: '0' }]);
  });
});

const openHasty = (url: string) =>
  openDatabase({ url, poolSize: 1, statementMs: 2_000, applicationName: 'test', logger: silentLogger });
const backendOf = async ({ db }: Database) =>
  (await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;

describe('a statement that takes too long', () => {
  it('is cancelled in the server too, and its connection is used again', async () => {
    opened = await open(test.url, undefined, 1);
    // For the only connection; long before the app gives up.
    await opened.db.query(`SELECT set_config('statement_timeout', '1s', false)`);
    const backend = await backendOf(opened);
    const tooLong = { code: '57014' };
    await expect(opened.db.query('SELECT pg_sleep(60)')).rejects.toMatchObject(tooLong);
    const hanging = opened.inTransaction('tnt_test', (tx) => tx.db.query('SELECT pg_sleep(60)'));
    await expect(hanging).rejects.toMatchObject(tooLong);
    expect(await backendOf(opened)).toBe(backend);
  });

  it('ends in the server when its client has gone', async () => {
    const options = `${limitOptions} -c statement_timeout=0`;
    const client = new pg.Client({ connectionString: test.url, options });
    client.on('error', () => {});
    await client.connect();
    const running = client.query('SELECT pg_sleep(600) AS gone').catch(() => 'broken');
    const countSql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%AS gone' AND state = 'active'`;
    const isRunning = async () => (await test.database.db.query<{ n: number }>(countSql))[0]?.n === 1;
    await eventually(isRunning);
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect(await running).toBe('broken');
    await eventually(async () => !(await isRunning()));
  });
});

describe('a statement without a response', () => {
  it('fails in time, and its connection is closed and replaced', async () => {
    const proxy = await startSilentProxy(test.url);
    opened = await openHasty(proxy.url);
    const { db, inTransaction } = opened;
    await db.query('SELECT 1');
    proxy.silence();
    await expect(db.query('SELECT 1')).rejects.toThrow('Query read timeout');
    await inTransaction('tnt_test', (tx) => tx.db.query('SELECT 1'));
    proxy.silence();
    const hanging = inTransaction('tnt_test', (tx) => tx.db.query('SELECT 1'));
    await expect(hanging).rejects.toThrow('Query read timeout');
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    proxy.close();
  });
});

describe('a table that another session has locked', () => {
  const readTasks = 'SELECT id FROM tasks WHERE tenant_id = $1 LIMIT 1';
  const writeTask = 'UPDATE tasks SET updated_at = updated_at WHERE tenant_id = $1';
  const readAgents = 'SELECT id FROM agents WHERE tenant_id = $1 LIMIT 1';

  async function whileLocked(work: (database: Database) => Promise<void>) {
    const database = await open(test.url, undefined, 2);
    const locker = new pg.Client({ connectionString: test.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE');
    await work(database).finally(() => locker.end());
    return database;
  }

  it('fails statements that need it soon, later ones at once, and holds up nothing else', async () => {
    const outcomes = (database: Database, text: string, calls: number) =>
      Promise.all(
        Array.from({ length: calls }, () =>
          database.db.query(text, ['tnt_test']).then(
            () => 'served',
            (error: Error & { code?: string }) => error.code ?? error.constructor.name,
          ),
        ),
      );
    const inTransactions = (database: Database, calls: number) =>
      Promise.all(
        Array.from({ length: calls }, () =>
          database
            .inTransaction('tnt_test', (tx) => tx.db.query(writeTask, ['tnt_test']))
            .catch((error: Error & { code?: string }) => error.code ?? error.constructor.name),
        ),
      );
    // All except one that tests whether the table is free, if it is due.
    const atOnce = (all: readonly unknown[]) => all.filter((outcome) => outcome === 'Unavailable').length;
    const database = await whileLocked(async (locked) => {
      const first = outcomes(locked, readTasks, 2);
      await eventually(() => locked.pool().used === 2);
      // Readiness has a connection of its own.
      await locked.ping();
      expect(await first).toEqual(['55P03', '55P03']);
      expect(atOnce(await outcomes(locked, readTasks, 50))).toBeGreaterThanOrEqual(49);
      expect(await outcomes(locked, readAgents, 50)).toEqual(Array(50).fill('served'));
      expect(await inTransactions(locked, 1)).toEqual(['55P03']);
      expect(atOnce(await inTransactions(locked, 20))).toBeGreaterThanOrEqual(19);
      expect(locked.pool()).toMatchObject({ used: 0, waiting: 0 });
    });
    await eventually(async () => (await outcomes(database, readTasks, 1))[0] === 'served');
    expect(await outcomes(database, writeTask, 1)).toEqual(['served']);
  });
});

describe('a connection pooler', () => {
  /** Responds to the first message as PgBouncer does to one with parameters that it does not know. */
  const refuse = (socket: Socket) =>
    socket.once('data', () => {
      const fields = { S: 'FATAL', C: '08P01', M: 'unsupported startup parameter: options' };
      const body = Buffer.from(
        `${Object.entries(fields)
          .map(([type, text]) => `${type}${text}\0`)
          .join('')}\0`,
      );
      const head = Buffer.from('E\0\0\0\0');
      head.writeInt32BE(body.length + 4, 1);
      socket.end(Buffer.concat([head, body]));
    });

  it('is recognised by its refusal, and the error names the missing setting', async () => {
    const pooler = createServer(refuse).listen(0, '127.0.0.1');
    await once(pooler, 'listening');
    const url = `postgresql://eas:hush@127.0.0.1:${(pooler.address() as AddressInfo).port}/eas`;
    await expect(open(url)).rejects.toThrow(
      `${url.replace(':hush', '')} (DATABASE_URL) is a connection pooler. Set DATABASE_DIRECT_URL to the address of Postgres without it.`,
    );
    pooler.close();
  });
});

describe('statements of a tenant', () => {
  it('are cancelled in the server when they are no longer awaited, and their connection is used again', async () => {
    opened = await open(test.url, undefined, 1);
    const backend = await backendOf(opened);
    const gone = new AbortController();
    const reading = opened.dbOf('tnt_test', { signal: gone.signal }).query('SELECT pg_sleep(60) AS aborted');
    const runningSql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%AS aborted' AND state = 'active'`;
    const running = async () => (await test.database.db.query<{ n: number }>(runningSql))[0]?.n;
    await eventually(async () => (await running()) === 1);
    const queued = opened.dbOf('tnt_test', { signal: gone.signal }).query('SELECT 1');
    gone.abort();
    await expect(reading).rejects.toBe(gone.signal.reason);
    await expect(queued).rejects.toBe(gone.signal.reason);
    // The server reports the end of a statement before its activity view shows it.
    await eventually(async () => (await running()) === 0);
    expect(await backendOf(opened)).toBe(backend);
    expect(opened.pool()).toMatchObject({ used: 0, waiting: 0 });
  });

  it('leave connections to other tenants, however many statements there are', async () => {
    const { dbOf, pool } = await open(test.url, undefined, 4);
    const gone = new AbortController();
    const noisy = Array.from({ length: 20 }, () =>
      dbOf('tnt_greedy', { signal: gone.signal })
        .query('SELECT pg_sleep(60)')
        .catch(() => 'ended'),
    );
    await eventually(() => pool().used === 2);
    expect(await dbOf('tnt_honest').query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(pool()).toMatchObject({ used: 2, waiting: 18 });
    gone.abort();
    expect(await Promise.all(noisy)).toEqual(Array(20).fill('ended'));
  });

  it('report how long they took', async () => {
    const { dbOf } = await open(test.url);
    const took: number[] = [];
    const db = dbOf('tnt_test', { onEnd: (ms) => void took.push(ms) });
    await db.query('SELECT pg_sleep(0.05)');
    await db.prisma.tenant.findFirst({ where: { id: 'tnt_none' } });
    expect(took).toHaveLength(2);
    expect(took[0]).toBeGreaterThanOrEqual(50);
  });
});

describe('the connections of a process', () => {
  it('are shared by tenants: transactions of one that wait for each other hold up no other', async () => {
    const { inTransaction, pool } = await open(test.url, undefined, 4);
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
      expect(pool()).toMatchObject({ used: 2, max: 4, waiting: 8 });
    } finally {
      release();
    }
    await Promise.all(held);
    expect(begun).toBe(10);
    expect(pool()).toMatchObject({ used: 0, waiting: 0 });
  });
});
