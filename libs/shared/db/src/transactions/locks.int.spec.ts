import { eventually, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { lockName, lockNames, whenFree } from './locks.ts';
import type { Tx } from './tx.ts';

const test = useTestDatabase();
const names = Array.from({ length: 500 }, (_, index) => `commit ${index}`);

const waitingSql = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** A scope that records its statements. */
function counted({ db, tenantId }: Tx) {
  const statements: string[] = [];
  const query: Tx['db']['query'] = (sql, values) => {
    statements.push(sql);
    return db.query(sql, values);
  };
  return { statements, scope: { tenantId, db: { ...db, query } } };
}

describe('locks by name', () => {
  it('lock five hundred names in one statement, and send none without names', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const held = await ctx.inTransaction(async (tx) => {
      const { statements, scope } = counted(tx);
      await lockNames(scope, []);
      await lockNames(scope, [...names, ...names]);
      expect(statements).toHaveLength(1);
      const sql = `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
      return (await tx.db.query<{ held: number }>(sql))[0]?.held;
    });
    expect(held).toBe(names.length);
  });

  it('lock in one order, so that transactions that name them in different orders do not deadlock', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    let tries = 0;
    const lock = (order: readonly string[]) =>
      ctx.inTransaction(async (tx) => {
        tries += 1;
        await lockNames(tx, order);
      });
    let both: Promise<unknown> | undefined;
    await ctx.inTransaction(async (tx) => {
      await lockName(tx, 'held');
      both = Promise.all([lock(['first', 'held', 'last']), lock(['last', 'held', 'first'])]);
      await eventually(async () => (await tx.db.query(waitingSql)).length === 2);
    });
    await both;
    expect(tries).toBe(2);
  });

  it('use the same key for one name and for several, only for the tenant', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const other = test.context({ tenantId: await test.createTenant() });
    const ended: string[] = [];
    const lockOwn = () => ctx.inTransaction(async (tx) => lockNames(tx, ['two', 'one'])).then(() => ended.push('own'));
    let waiting: Promise<unknown> | undefined;
    await ctx.inTransaction(async (tx) => {
      await lockName(tx, 'one');
      waiting = lockOwn();
      await other.inTransaction(async (inner) => lockNames(inner, ['one', 'two']));
      expect(ended).toEqual([]);
    });
    await waiting;
    expect(ended).toEqual(['own']);
  });
});

describe('work that a process needs to start', () => {
  it('is retried while another process holds its lock, and fails at once for any other reason', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    let tries = 0;
    const start = () =>
      ctx.inTransaction(async (tx) => {
        tries += 1;
        await tx.db.query("SET LOCAL lock_timeout = '20ms'");
        await lockName(tx, 'first key');
        return 'started';
      });
    let started: Promise<string> | undefined;
    await ctx.inTransaction(async (tx) => {
      await lockName(tx, 'first key');
      await expect(whenFree(start, 0)).rejects.toMatchObject({ code: '55P03' });
      started = whenFree(start);
      await eventually(() => tries > 3);
    });
    expect(await started).toBe('started');
    tries = 0;
    const failing = () => start().then(() => Promise.reject(new Error('no')));
    await expect(whenFree(failing)).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});
