// A database behind PgBouncer with the settings of docs/operate/scale.md does all that the apps ask of it.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, type GatheredStatement, openDatabase } from '@eas/db';
import { readMissingSettings } from '@eas/db/admin';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import pg from 'pg';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { findFreePort } from '@eas/testing/redis-server';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/operate/scale.md'), 'utf8');
const blockOf = (language: string): string => new RegExp(`\`\`\`${language}\\n([^]+?)\`\`\``).exec(page)?.[1] ?? '';

const program = findOnPath('pgbouncer');
const notRun = leftOut('PgBouncer 1.21 or newer', isNewEnough());

function isNewEnough(): boolean {
  if (!program) return false;
  const [, major, minor] = /(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

type Pooler = { url: string; stop(): Promise<void> };

/** Runs with the file of the page, on another port and for another database, and asks clients for no password. */
async function startPgBouncer(direct: URL, role: { name: string; password: string }): Promise<Pooler> {
  if (!program) throw new Error('PgBouncer is not installed; .ci/run installs it.');
  const folder = mkdtempSync(join(tmpdir(), 'eas-pgbouncer-'));
  chmodSync(folder, 0o755);
  const [users, settings] = [join(folder, 'userlist.txt'), join(folder, 'pgbouncer.ini')];
  const port = await findFreePort();
  const changes: [string, string][] = [
    [
      'eas = host=postgres.internal port=5432',
      `${direct.pathname.slice(1)} = host=${direct.hostname} port=${direct.port}`,
    ],
    ['listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256', 'auth_type = trust'],
    ['/etc/pgbouncer/userlist.txt', users],
    // Fewer connections than transactions: statements run on connections that did not prepare them.
    ['default_pool_size = 20', 'default_pool_size = 3'],
  ];
  let ini = blockOf('ini');
  for (const [from, to] of changes) {
    expect(ini).toContain(from);
    ini = ini.replace(from, to);
  }
  writeFileSync(users, `"${role.name}" "${role.password}"\n`);
  writeFileSync(settings, ini);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...asUser, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = new URL(direct);
  Object.assign(url, { username: role.name, password: role.password, hostname: '127.0.0.1', port: String(port) });
  const client = () => new pg.Client({ connectionString: url.href });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(output);
    const one = client();
    one.on('error', () => {});
    return one.connect().then(
      () => one.end().then(() => true),
      () => false,
    );
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: url.href, stop };
}

const test = useTestDatabase();

(notRun ? describe.skip : describe)(`a database behind PgBouncer in transaction mode${notRun}`, () => {
  const role = { name: `eas_pooled_${randomBytes(4).toString('hex')}`, password: randomBytes(12).toString('hex') };
  let pooler: Pooler;
  let database: Database;
  const query = (sql: string) => test.database.db.query(sql, [], { isPrepared: false });

  beforeAll(async () => {
    await query("CREATE TABLE notes (id serial PRIMARY KEY, note text NOT NULL CHECK (note <> 'bad'))");
    await query(`CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}' IN ROLE ${new URL(test.url).username}`);
    for (const statement of blockOf('sql').replaceAll('eas_app', role.name).split(';\n').filter(Boolean))
      await query(statement);
    pooler = await startPgBouncer(new URL(test.url), role);
    database = await openDatabase({
      url: pooler.url,
      directUrl: test.url,
      poolSize: 12,
      applicationName: 'pooled',
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await database?.close();
    await pooler?.stop();
    await query(`REASSIGN OWNED BY ${role.name} TO CURRENT_USER`);
    await query(`DROP ROLE ${role.name}`);
  });

  const notes = async () =>
    (await database.db.query<{ note: string }>('SELECT note FROM notes ORDER BY id')).map(({ note }) => note);

  it('is opened, and its connections have the settings that the page gives to their role', async () => {
    await database.ping();
    expect(await readMissingSettings(database.db)).toEqual([]);
  });

  it('takes gathered writes', async () => {
    const insert: GatheredStatement<string, number> = async (db, items) => {
      const rows = await db.query<{ id: number }>('INSERT INTO notes (note) SELECT unnest($1::text[]) RETURNING id', [
        [...items],
      ]);
      return rows.map(({ id }) => ({ ok: true, value: id }));
    };
    const ids = await Promise.all(['a', 'b', 'c'].map((note) => database.gather(insert, note)));
    expect(new Set(ids).size).toBe(3);
    expect(await notes()).toEqual(['a', 'b', 'c']);
  });

  it('has transactions of Prisma and SQL, which commit or leave nothing', async () => {
    const write = (slug: string, note: string) =>
      database.inTransaction(slug, async ({ db }) => {
        await db.prisma.tenant.create({ data: { id: slug, slug, name: slug } });
        await db.query('INSERT INTO notes (note) VALUES ($1)', [note]);
      });
    await write('tnt_pooled', 'd');
    await expect(write('tnt_undone', 'bad')).rejects.toThrow('check constraint');
    expect(await notes()).toEqual(['a', 'b', 'c', 'd']);
    const tenants = await database.db.prisma.tenant.findMany({ where: { id: { in: ['tnt_pooled', 'tnt_undone'] } } });
    expect(tenants.map(({ id }) => id)).toEqual(['tnt_pooled']);
  });

  it('notifies listeners when a transaction commits', async () => {
    const woken: string[] = [];
    const stop = database.listener.on('stream', (key) => woken.push(key));
    await eventually(async () => {
      await database.inTransaction('tnt_a', async ({ notify }) => notify('stream', 'tnt_a'));
      return woken.includes('tnt_a');
    });
    stop();
  });

  it('cancels statements in Postgres that a client no longer waits for', async () => {
    const gone = new AbortController();
    const reading = database.dbOf('tnt_pooled', { signal: gone.signal }).query('SELECT pg_sleep(60) AS pooled');
    const countSql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%AS pooled' AND state = 'active'`;
    const running = async () => (await test.database.db.query<{ n: number }>(countSql))[0]?.n;
    await eventually(async () => (await running()) === 1);
    gone.abort();
    await expect(reading).rejects.toBe(gone.signal.reason);
    await eventually(async () => (await running()) === 0);
  });

  it('runs prepared statements on whichever connection is free', async () => {
    const ask = (n: number) =>
      database.inTransaction(`tnt_${n % 4}`, async ({ db }) => {
        const [row] = await db.query<{ sum: number }>(`SELECT $1::int + ${n % 10} AS sum`, [n]);
        const found = await db.prisma.tenant.count({ where: { slug: `none ${n}` } });
        return [row?.sum, found];
      });
    const asked = Array.from({ length: 200 }, (_, n) => n);
    expect(await Promise.all(asked.map(ask))).toEqual(asked.map((n) => [n + (n % 10), 0]));
  });
});
