import { randomBytes } from 'node:crypto';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../database.ts';
import { sweepHistory } from '../retention/sweep-history.ts';
import { grantAppRole, setRolePassword } from './app-role.ts';
import { createEventPartitions } from './partitions.ts';

const test = useTestDatabase();
const role = `eas app ${randomBytes(4).toString('hex')}`;
const password = `it's "${randomBytes(8).toString('hex')}"`;
const owner = (sql: string) => test.database.db.query<Record<string, unknown>>(sql, [], { isPrepared: false });
const urlWith = (secret: string) => {
  const url = new URL(test.url);
  Object.assign(url, { username: encodeURIComponent(role), password: encodeURIComponent(secret) });
  return url.toString();
};
const open = (secret = password) =>
  openDatabase({ url: urlWith(secret), poolSize: 2, applicationName: 'app', logger: silentLogger });
let app: Database;
const query = (sql: string) => app.db.query<Record<string, unknown>>(sql, [], { isPrepared: false });

beforeAll(async () => {
  expect(await grantAppRole({ migrateUrl: test.url, role })).toBe('unknown');
  expect(await grantAppRole({ migrateUrl: test.url, role, password })).toBe('made');
  app = await open();
});
const month = (offset: number) => `(date_trunc('month', now()) + ${offset} * interval '1 month')::date`;

describe('the role of the apps', () => {
  // Before the database is dropped.
  afterAll(async () => {
    await app?.close();
    await owner(`DROP OWNED BY "${role}"`);
    await owner(`DROP ROLE "${role}"`);
  });

  it('reads and writes the rows of every table, also of those that later migrations make', async () => {
    await owner('CREATE TABLE later (id serial PRIMARY KEY, tenant_id text)');
    await owner(
      'CREATE FUNCTION later_fn() RETURNS int LANGUAGE sql AS $$ SELECT 7 $$; REVOKE EXECUTE ON FUNCTION later_fn() FROM PUBLIC',
    );
    await query("INSERT INTO later (tenant_id) VALUES ('t')");
    expect(await query('SELECT id, later_fn() AS seven FROM later')).toEqual([{ id: 1, seven: 7 }]);
    await owner('DROP TABLE later; DROP FUNCTION later_fn()');
    const refused = await owner(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
         AND NOT has_table_privilege('${role}', c.oid, 'SELECT')`,
    );
    const unwritable = await owner(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT (has_table_privilege('${role}', c.oid, 'INSERT') AND has_table_privilege('${role}', c.oid, 'UPDATE')
           AND has_table_privilege('${role}', c.oid, 'DELETE')) ORDER BY 1`,
    );
    expect([refused, unwritable]).toEqual([[], [{ name: '_prisma_migrations' }, { name: 'audit_log' }]]);
  });

  it('removes audit entries of a tenant that is being removed, and no others', async () => {
    const [gone, kept] = [await test.createTenant(), await test.createTenant()];
    for (const id of [gone, kept])
      await query(
        `INSERT INTO audit_log (tenant_id, id, action, actor_id) VALUES ('${id}', 'adt_1', 'queue.changed', 'system')`,
      );
    const remove = (id: string) => query(`SELECT remove_audit_entries('${id}', 10) AS removed`);
    await expect(remove(gone)).rejects.toThrow('is not being removed');
    await query(`UPDATE tenants SET removed_at = app_now() WHERE id = '${gone}'`);
    expect(await remove(gone)).toEqual([{ removed: 1 }]);
    await expect(remove(kept)).rejects.toThrow('is not being removed');
    expect(await owner(`SELECT tenant_id FROM audit_log`)).toEqual([{ tenant_id: kept }]);
  });

  it('removes old audit entries that it names, and none of the last 30 days', async () => {
    const id = await test.createTenant();
    const add = (entry: string, age: string) =>
      query(
        `INSERT INTO audit_log (tenant_id, id, action, actor_id, created_at)
        VALUES ('${id}', '${entry}', 'queue.changed', 'system', now() - interval '${age}')`,
      );
    await add('adt_old', '31 days');
    await add('adt_new', '29 days');
    const remove = (entry: string) => query(`SELECT remove_old_audit_entries('${id}', '{${entry}}') AS removed`);
    expect(await remove('adt_old')).toEqual([{ removed: 1 }]);
    await expect(remove('adt_new')).rejects.toThrow('audit_log is append-only');
    expect(await owner(`SELECT id FROM audit_log WHERE tenant_id = '${id}'`)).toEqual([{ id: 'adt_new' }]);
  });

  it.each([
    'CREATE TABLE mine (id int)',
    'ALTER TABLE tasks ADD COLUMN mine int',
    'DROP TABLE outbox',
    'TRUNCATE outbox',
    'CREATE INDEX mine ON tasks (title)',
    'DROP INDEX outbox_dead_idx',
    'CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT now() $$',
    'ALTER FUNCTION drop_event_partition(text, date) RESET search_path',
    'ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only',
    'DELETE FROM audit_log',
    'UPDATE audit_log SET target_id = NULL',
    'DELETE FROM _prisma_migrations',
    'CREATE SCHEMA mine',
    'CREATE ROLE mighty',
    'SET ROLE pg_monitor',
    'SET session_replication_role = replica',
    `COPY tenants TO PROGRAM 'cat'`,
    `SELECT pg_read_file('/etc/hostname')`,
  ])('may not: %s', async (sql) => {
    await expect(query(sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('creates the coming months and drops old ones, and may read and write their rows', async () => {
    await owner(`SELECT create_event_partitions('2021-03-01')`);
    await owner(`INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
      VALUES ('t', 'evt_' || ulid_prefix('2021-03-10Z') || '0000000000000001', 'task.created', '2021-03-10Z', '{}')`);
    for (const table of ['attempts', 'deliveries', 'events', 'session_batches'])
      await owner(`SELECT drop_event_partition('${table}', ${month(-1)})`);
    await query(`SELECT create_event_partitions(${month(-1)})`);
    await createEventPartitions(app.db);
    expect(await query(`SELECT count(*)::int AS n FROM events_2021_03`)).toEqual([{ n: 1 }]);
    const signal = new AbortController().signal;
    const observer = { onMonthDropped: () => {}, onRowsDeleted: () => {}, onUnfinishedDropped: () => {} };
    await sweepHistory(app.db, {
      retention: { eventDays: 90, deliveryDays: 30, sessionDays: 30, modelCallDays: 90 },
      logger: silentLogger,
      observer,
      signal,
    });
    expect(await query(`SELECT to_regclass('events_2021_03') AS gone`)).toEqual([{ gone: null }]);
    const [made] = await owner(`SELECT pg_get_userbyid(relowner) <> '${role}' AS "isOwners" FROM pg_class
      WHERE relname = to_char(${month(-1)}, '"events_"YYYY_MM')`);
    expect(made).toEqual({ isOwners: true });
  });

  it.each([
    `SELECT drop_event_partition('tasks', '2021-03-01')`,
    `SELECT drop_event_partition('events', ${month(0)})`,
    `SELECT drop_event_partition(NULL, '2021-03-01')`,
    `SELECT drop_event_partition('events', NULL)`,
    `SELECT create_event_partitions('1999-01-01')`,
    `SELECT create_event_partitions(${month(14)})`,
    'SELECT create_event_partitions(NULL)',
  ])('is refused by the functions of the months: %s', async (sql) => {
    await expect(query(sql)).rejects.toMatchObject({ code: 'P0001' });
  });

  it('drops no table that only has the name of a month, and uses no objects from other schemas', async () => {
    await owner('CREATE TABLE attempts_2021_05 (id int)');
    expect(await query(`SELECT drop_event_partition('attempts', '2021-05-01') AS done`)).toEqual([{ done: false }]);
    await owner('DROP TABLE attempts_2021_05');
    await query(`CREATE TEMP TABLE pg_inherits (inhrelid oid, inhparent oid); SET search_path = pg_temp, public;
      SELECT create_event_partitions('2021-05-01'); RESET search_path; DROP TABLE pg_temp.pg_inherits`);
    expect(await query(`SELECT drop_event_partition('attempts', '2021-05-01') AS done`)).toEqual([{ done: true }]);
  });

  it('is granted again without a change, and gets another password', async () => {
    expect(await grantAppRole({ migrateUrl: test.url, role })).toBe('granted');
    await setRolePassword({ migrateUrl: test.url, role, password: 'another' });
    await expect(open()).rejects.toThrow(/cannot be used/);
    await (await open('another')).close();
  });

  it('is refused when it is the owner, or may become the owner', async () => {
    const [{ user } = { user: '' }] = (await owner('SELECT current_user::text AS user')) as { user: string }[];
    const grant = (name: string) => grantAppRole({ migrateUrl: test.url, role: name, password: 'x' });
    await expect(grant(user)).rejects.toThrow(/both name the role/);
    const member = `${role} member`;
    await owner(`CREATE ROLE "${member}" IN ROLE "${user}"`);
    await expect(grant(member))
      .rejects.toThrow(/may do everything/)
      .finally(() => owner(`DROP ROLE "${member}"`));
    await owner(`CREATE ROLE "${member}" LOGIN PASSWORD 'x'`);
    const weak = new URL(test.url);
    Object.assign(weak, { username: encodeURIComponent(member), password: 'x' });
    await expect(grantAppRole({ migrateUrl: weak.toString(), role: 'reader', password: 'x' }))
      .rejects.toThrow(/may not make roles. As a superuser run: CREATE ROLE "reader"/)
      .finally(() => owner(`DROP ROLE "${member}"`));
  });
});
