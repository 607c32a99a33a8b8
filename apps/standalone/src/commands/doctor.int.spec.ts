import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretBox } from '@eas/core';
import { openSecretBox } from '@eas/db';
import { grantAppRole, readServerFacts } from '@eas/db/admin';
import { startEmbeddedPostgres } from '@eas/db/embedded-postgres';
import { migrate } from '@eas/db/migrate';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { queueBackEnd } from '@eas/testing/queue-back-end';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { loadConfig } from '../config.ts';
import { examineWithDoctor, runFromTerminal } from './command.fixture.ts';

const test = useTestDatabase();
const makeKey = () => randomBytes(32).toString('base64');
const [key, other] = [makeKey(), makeKey()];
const query = (sql: string) => test.database.db.query(sql, [], { isPrepared: false });

async function examine(settings: Partial<ReturnType<typeof loadConfig>> = {}) {
  const redis = { url: queueBackEnd.redisUrl };
  // The server of the tests does not wait for the disk, which is reported; the findings are about the other parts.
  const inheritedEnv = { PATH: process.env['PATH'] };
  const config = { databaseUrl: test.url, encryptionKeys: [key], dataDir: tmpdir(), redis, inheritedEnv, ...settings };
  const { code, err, findings } = await examineWithDoctor(config);
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  return { code, err, findings, of, levelOf: (check: string) => of(check).map(({ level }) => level) };
}

const undo: string[] = [];
afterEach(async () => {
  for (const sql of undo.splice(0)) await query(sql);
});

describe('doctor', () => {
  it('reports each part in one line', async () => {
    await openSecretBox({ database: test.database, encryptionKeys: [key], logger: silentLogger });
    const { levelOf, findings } = await examine();
    const parts = [
      'version',
      'settings',
      'migrations',
      'partitions',
      'size',
      'encryption key',
      'postgres clock',
      'outbox',
      'dead events',
    ];
    expect(parts.map(levelOf)).toEqual(parts.map(() => ['ok']));
    expect(findings.every(({ level, advice }) => (level === 'ok') === (advice === null))).toBe(true);
    const redisParts = ['redis', 'redis memory', 'redis persistence', 'redis clock'];
    expect(redisParts.map(levelOf)).toEqual(redisParts.map(() => (queueBackEnd.redisUrl ? ['ok'] : [])));
    const { out } = await runFromTerminal(['doctor'], {
      databaseUrl: test.url,
      encryptionKeys: [key],
      dataDir: tmpdir(),
    });
    expect(out).toMatch(/^ok {4}migrations: the database is at the newest migration\.$/m);
    expect(out).not.toContain('..');
    expect(out).not.toContain(key);
  });

  it('counts the connections of the apps only', async () => {
    // Other tests use the same server: a name that none of them has.
    const app = `app-${randomUUID()}`;
    const client = new pg.Client({ connectionString: test.url, application_name: app });
    await client.connect();
    const { sessions, pools } = await readServerFacts(test.database.db, [app]);
    await client.end();
    expect(pools).toEqual([1]);
    expect(sessions).toBeGreaterThan(1);
  });

  it('checks only the disk of the database', async () => {
    expect((await examine({ dataDir: '/no/such/folder' })).levelOf('disk')).toEqual([]);
  });

  it('says how large the tables of each kind are, and a row of them', async () => {
    undo.push('TRUNCATE events');
    await query(
      `INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
      SELECT 'tnt_1', 'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.created', now(), '{}' FROM generate_series(1, 2000) AS n`,
    );
    await query('ANALYZE events');
    const [size] = (await examine()).of('size');
    expect(size).toMatchObject({ level: 'ok', advice: null });
    expect(size?.message).toMatch(/^the tables have \d+ MB: .*\bevents \d+ MB \(2,000, each 0\.\d kB\)/);
    expect(size?.message).toMatch(/\bother \d+ MB/);
  });

  it('warns of backups that were never recorded, and of old ones', async () => {
    expect((await examine()).of('backup')).toEqual([
      expect.objectContaining({ level: 'warn', message: 'none was ever recorded' }),
    ]);
    undo.push('TRUNCATE backups');
    await query(`INSERT INTO backups (tool, taken_at) VALUES ('nightly', now() - interval '40 hours')`);
    expect((await examine()).of('backup')).toEqual([
      expect.objectContaining({ level: 'warn', message: 'the newest, by nightly, is 40 hours old' }),
    ]);
    await query(`INSERT INTO backups (tool) VALUES ('pgbackrest')`);
    expect((await examine()).of('backup')).toEqual([
      { check: 'backup', level: 'ok', message: 'the newest, by pgbackrest, is 0 hours old', advice: null },
    ]);
  });

  it('says what the role of the apps does not see of the server, and how to let it', async () => {
    const role = `doctor_${randomUUID()}`;
    const url = new URL(test.url);
    Object.assign(url, { username: role, password: 'of the doctor' });
    await grantAppRole({ migrateUrl: test.url, role, password: 'of the doctor' });
    undo.push(`DROP OWNED BY "${role}"`, `DROP ROLE "${role}"`);
    expect((await examine({ databaseUrl: url.href })).of('database figures')).toEqual([
      expect.objectContaining({ level: 'warn', advice: `As a superuser run GRANT pg_monitor TO "${role}".` }),
    ]);
    await query(`GRANT pg_monitor TO "${role}"`);
    expect((await examine({ databaseUrl: url.href })).of('database figures')).toEqual([]);
  });

  it('fails for durability that is off, as on the server of the tests', async () => {
    const { code, of } = await examine();
    expect(of('postgres')).toContainEqual(
      expect.objectContaining({ level: 'fail', message: expect.stringMatching(/^fsync is off/) }),
    );
    expect(code).toBe(1);
  });

  it('finds a database behind and ahead of this version, and a migration that did not end', async () => {
    const [row] = await test.database.db.query<{ name: string }>(
      'SELECT max(migration_name) AS name FROM _prisma_migrations',
    );
    undo.push(
      `UPDATE _prisma_migrations SET migration_name = '${row?.name}', finished_at = now() WHERE migration_name LIKE '2099%'`,
    );
    await query(
      `UPDATE _prisma_migrations SET migration_name = '20990101000000_later' WHERE migration_name = '${row?.name}'`,
    );
    expect((await examine()).of('migrations')).toEqual([
      expect.objectContaining({ level: 'fail', message: `the database lacks 1, first ${row?.name}` }),
    ]);
    await query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, started_at, applied_steps_count)
      SELECT 'x', '', '${row?.name}', now(), now(), 1`);
    undo.unshift(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
    expect((await examine()).of('migrations')).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('20990101000000_later') }),
    ]);
    await query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '20990101000000_later'`);
    expect((await examine()).of('migrations')).toEqual([
      expect.objectContaining({ level: 'fail', message: '20990101000000_later did not end' }),
    ]);
  });

  it('fails for a database on which no app of this version starts', async () => {
    undo.push(`DELETE FROM _prisma_migrations WHERE id = 'c'`);
    await query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, started_at, applied_steps_count)
      SELECT 'c', '', '20990101000000_old_contract', now(), now(), 1`);
    expect((await examine()).of('migrations')).toEqual([
      expect.objectContaining({
        level: 'fail',
        message: expect.stringContaining('20990101000000_old_contract removed'),
      }),
    ]);
  });

  it('fails for addresses that do not lead to one database', async () => {
    expect((await examine({ migrateDatabaseUrl: test.url })).levelOf('addresses')).toEqual(['ok']);
    const other = new URL(test.url);
    other.pathname = '/postgres';
    expect((await examine({ migrateDatabaseUrl: other.toString() })).of('addresses')).toEqual([
      expect.objectContaining({
        level: 'fail',
        message: expect.stringMatching(
          /\/postgres \(MIGRATE_DATABASE_URL\) is another database than \S+ \(DATABASE_URL\)$/,
        ),
      }),
    ]);
  });

  it('reports a role without grants with the command to run, and continues', async () => {
    const role = `eas_bare_${randomBytes(4).toString('hex')}`;
    await query(`CREATE ROLE ${role} LOGIN PASSWORD 'bare'`);
    undo.push(`DROP ROLE ${role}`);
    const url = new URL(test.url);
    Object.assign(url, { username: role, password: 'bare' });
    const { code, findings, of, levelOf } = await examine({ databaseUrl: url.toString() });
    expect([code, levelOf('version')]).toEqual([1, ['ok']]);
    for (const check of ['migrations', 'encryption key', 'outbox'])
      expect(of(check)).toEqual([
        expect.objectContaining({ level: 'fail', advice: expect.stringMatching(/^Run db:roles/) }),
      ]);
    expect(JSON.stringify(findings)).not.toContain(' at ');
  });

  it('makes no database and no key where there is none', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'eas-doctor-')), 'new');
    const { code, of } = await examine({ databaseUrl: undefined, encryptionKeys: undefined, dataDir });
    expect([code, existsSync(dataDir)]).toEqual([1, false]);
    expect(of('postgres')).toEqual([
      expect.objectContaining({ level: 'fail', message: `there is no database in ${dataDir}` }),
    ]);
  });

  it('reports that the key of the embedded database is lost, and creates no other', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'eas-doctor-'));
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, isDurable: false });
    await migrate(server.url).finally(() => server.stop());
    const { code, of } = await examine({ databaseUrl: undefined, encryptionKeys: undefined, dataDir });
    const keyFile = join(dataDir, 'encryption-key');
    expect([code, of('migrations')]).toEqual([1, [expect.objectContaining({ level: 'ok' })]]);
    expect(of('encryption key')).toEqual([
      expect.objectContaining({
        level: 'fail',
        message: `${keyFile} is missing`,
        advice: expect.stringMatching(/^Restore/),
      }),
    ]);
    expect(existsSync(keyFile)).toBe(false);
    rmSync(dataDir, { recursive: true });
  });

  it('reports a wrong setting of its own like any other finding', async () => {
    const lineOf = async (...line: string[]) => {
      process.env['REDIS_URL'] = 'redis://127.0.0.1:99999';
      return runFromTerminal(line, {}).finally(() => delete process.env['REDIS_URL']);
    };
    const json = await lineOf('doctor', '--json');
    const message = expect.stringMatching(/^Invalid setting: REDIS_URL/);
    expect([json.code, JSON.parse(json.out)]).toEqual([1, [expect.objectContaining({ check: 'settings', message })]]);
    expect((await lineOf('doctor')).out).toMatch(/^fail {2}settings: Invalid setting: REDIS_URL/);
    expect(await lineOf('key:list')).toMatchObject({ code: 1, err: message });
  });

  it('finds settings that the connections of a pooler lack', async () => {
    const pooled = { databaseDirectUrl: test.url };
    expect((await examine()).of('pooler')).toEqual([]);
    expect((await examine(pooled)).of('pooler')).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(/lack enable_seqscan = off, .*idle_in_transaction_session_timeout = 10s/),
      }),
    ]);
    const [database] = await test.database.db.query<{ name: string }>('SELECT current_database() AS name');
    undo.push(`ALTER DATABASE ${database?.name} RESET ALL`);
    const settings = [
      'enable_seqscan = off',
      'random_page_cost = 1.1',
      'jit = off',
      'max_parallel_workers_per_gather = 0',
      `idle_in_transaction_session_timeout = '10s'`,
      `statement_timeout = '9500ms'`,
      `lock_timeout = '2s'`,
      `client_connection_check_interval = '2s'`,
      'enable_partition_pruning = off',
    ];
    for (const setting of settings) await query(`ALTER DATABASE ${database?.name} SET ${setting}`);
    expect((await examine(pooled)).levelOf('pooler')).toEqual(['ok']);
  });

  it('finds a month without partitions', async () => {
    const month = `(date_trunc('month', now()) + interval '2 months')::date`;
    const [row] = await test.database.db.query<{ name: string }>(
      `SELECT to_char(${month}, '"attempts_"YYYY_MM') AS name`,
    );
    await query(`DROP TABLE ${row?.name}`);
    undo.push(`SELECT create_event_partitions(${month})`);
    expect((await examine()).of('partitions')).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: expect.stringMatching(/^attempts have none for \d{4}-\d{2}$/),
      }),
    ]);
  });

  it('finds keys that do not fit the data, that are missing, and that are older', async () => {
    undo.push('TRUNCATE encryption_canaries');
    await query('TRUNCATE encryption_canaries');
    await openSecretBox({ database: test.database, encryptionKeys: [key], logger: silentLogger });
    const idOf = (one: string) => createSecretBox([one]).keyId;
    const examineWith = async (...encryptionKeys: string[]) => (await examine({ encryptionKeys })).of('encryption key');
    expect(await examineWith(other)).toEqual([
      expect.objectContaining({ level: 'fail', message: expect.stringContaining(idOf(key)) }),
    ]);
    expect(await examineWith(other, key)).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('older keys') }),
    ]);
    await openSecretBox({ database: test.database, encryptionKeys: [other, key], logger: silentLogger });
    expect(await examineWith(other)).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('are missing') }),
    ]);
  });

  it('finds what is late and what was given up', async () => {
    undo.push('TRUNCATE outbox');
    const insert = (columns: string, values: string) =>
      query(
        `INSERT INTO outbox (tenant_id, event_id, consumer, ${columns}) VALUES ('tnt_1', 'evt_1', 'facts.record', ${values})`,
      );
    await insert('available_at', `app_now() - interval '10 minutes'`);
    const late = await examine();
    expect([late.levelOf('outbox'), late.levelOf('dead events')]).toEqual([['warn'], ['ok']]);
    await query(`UPDATE outbox SET dead_at = app_now()`);
    const dead = await examine();
    expect([dead.levelOf('outbox'), dead.levelOf('dead events')]).toEqual([['ok'], ['warn']]);
  });

  it('names a setting of any app that is wrong, a store that is away, and goes on', async () => {
    const away = 'redis://127.0.0.1:1';
    const { code, of, levelOf } = await examine({
      inheritedEnv: { RECEIVER_ALLOW_UNSIGNED: 'perhaps' },
      redis: { url: away },
      databaseUrl: 'postgresql://eas:hush@127.0.0.1:1/none',
    });
    expect(of('settings')).toEqual([
      expect.objectContaining({ level: 'fail', message: expect.stringContaining('RECEIVER_ALLOW_UNSIGNED') }),
    ]);
    expect(of('redis')).toEqual([expect.objectContaining({ level: 'fail', message: expect.stringContaining(away) })]);
    expect(of('postgres')).toEqual([
      expect.objectContaining({ level: 'fail', message: expect.stringMatching(/^Postgres at postgresql:\/\/eas@127/) }),
    ]);
    expect([code, levelOf('version')]).toEqual([1, ['ok']]);
  });
});
