import { AppError } from '@eas/core';
import { eventually, useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { batched, type BatchItem, needsOwnTransaction } from './batched.ts';
import type { BatchResult } from './connection/gather.ts';
import type { UseCaseContext } from './context.ts';
import { contextInTransaction } from './context.ts';

const test = useTestDatabase();

let ctx: UseCaseContext;
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await test.database.db.query('CREATE TABLE IF NOT EXISTS counters (id text PRIMARY KEY, count int NOT NULL)');
  await test.database.db.query('TRUNCATE counters');
  await test.database.db.query(`INSERT INTO counters VALUES ('a', 0), ('b', 0), ('c', 0)`);
});

type Counting = { id: string; refusal?: Error };

/** The transactions that counted: how many items each had, and whether it could wait. */
const runs: { size: number; mayWait: boolean }[] = [];
const prepared: string[] = [];
beforeEach(() => void [runs, prepared].forEach((list) => list.splice(0)));

const lockSql = 'SELECT id FROM counters WHERE id = ANY ($1) FOR UPDATE';

/** Counts up, and returns what was prepared. */
const count = batched(
  async ({ db }, items: readonly BatchItem<Counting, string>[], { mayWait }): Promise<BatchResult<string>[]> => {
    runs.push({ size: items.length, mayWait });
    const sql = mayWait ? lockSql : `${lockSql} SKIP LOCKED`;
    const rows = await db.query<{ id: string }>(sql, [items.map(({ input }) => input.id)]);
    const locked = rows.map(({ id }) => id);
    await db.query('UPDATE counters SET count = count + 1 WHERE id = ANY ($1)', [locked]);
    return items.map(({ input: { id, refusal }, prepared: text = 'nothing' }) => {
      if (!locked.includes(id)) return needsOwnTransaction;
      return refusal ? { ok: false, error: refusal } : { ok: true, value: text };
    });
  },
  {
    canShare: ({ refusal }) => !refusal,
    prepare: async (_, { id }) => {
      prepared.push(id);
      return `prepared ${id}`;
    },
  },
);

async function counts(): Promise<Record<string, number>> {
  const rows = await test.database.db.query<{ id: string; count: number }>('SELECT * FROM counters');
  return Object.fromEntries(rows.map((row) => [row.id, row.count]));
}

/** Holds a row until `release` is called. */
async function holdRow(id: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const ended = ctx.inTransaction(async ({ db }) => {
    await db.query(lockSql, [[id]]);
    held.resolve();
    await gate.promise;
  });
  await held.promise;
  return async () => {
    gate.resolve();
    await ended;
  };
}

describe('a batched use case', () => {
  it('serves concurrent calls in one transaction, without preparation', async () => {
    expect(await Promise.all(['a', 'b', 'c'].map((id) => count(ctx, { id })))).toEqual(Array(3).fill('nothing'));
    expect(runs).toEqual([{ size: 3, mayWait: false }]);
    expect(prepared).toEqual([]);
  });

  it('waits for the locked row of a call in a transaction of its own, and holds up no other call', async () => {
    const release = await holdRow('a');
    const [waiting, ...others] = ['a', 'b', 'c'].map((id) => count(ctx, { id }));
    expect(await Promise.all(others)).toEqual(['nothing', 'nothing']);
    await eventually(() => runs.length === 2);
    await release();
    expect(await waiting).toBe('prepared a');
    expect(runs).toEqual([
      { size: 3, mayWait: false },
      { size: 1, mayWait: true },
    ]);
    expect(await counts()).toEqual({ a: 1, b: 1, c: 1 });
  });

  it.each([
    [new AppError('conflict'), 0],
    [new AppError('conflict', { keepsWrites: true }), 1],
  ])(
    'undoes the writes of a call in its own transaction that is refused, unless the error keeps them',
    async (refusal, written) => {
      await expect(count(ctx, { id: 'a', refusal })).rejects.toBe(refusal);
      expect(runs).toEqual([{ size: 1, mayWait: true }]);
      expect((await counts())['a']).toBe(written);
    },
  );

  it('runs in the surrounding transaction if there is one', async () => {
    const undone = new Error('undone');
    const outer = ctx.inTransaction(async (tx) => {
      const inner = contextInTransaction(ctx, tx);
      expect(await count(inner, { id: 'a' })).toBe('nothing');
      const refusal = new AppError('conflict');
      await expect(count(inner, { id: 'b', refusal })).rejects.toBe(refusal);
      await expect(
        count(inner, { id: 'c', refusal: new AppError('conflict', { keepsWrites: true }) }),
      ).rejects.toThrow();
      const rows = await tx.db.query('SELECT id FROM counters WHERE count > 0 ORDER BY id');
      expect(rows).toEqual([{ id: 'a' }, { id: 'c' }]);
      throw undone;
    });
    await expect(outer).rejects.toBe(undone);
    expect(await counts()).toEqual({ a: 0, b: 0, c: 0 });
  });
});
