import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { contextInTransaction, type BatchResult } from '../index.ts';
import type { SharedWork } from './shared-transaction.ts';

const test = useTestDatabase();

/** Returns the transaction that an item ran in; 'refused' is refused, 'broken' fails the statement. */
const work: SharedWork<string, string> = async ({ db }, items) => {
  const sql = 'SELECT pg_current_xact_id()::text AS id, ln(x) FROM unnest($1::float[]) AS x';
  const rows = await db.query<{ id: string }>(sql, [items.map((item) => (item === 'broken' ? -1 : 1))]);
  return items.map((item): BatchResult<string> =>
    item === 'refused' ? { ok: false, error: new Error('refused') } : { ok: true, value: rows[0]?.id ?? '' },
  );
};

describe('a shared transaction', () => {
  it('serves concurrent calls of a tenant, and fails only those that are refused', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const other = test.context({ tenantId: await test.createTenant() });
    const [first, second, refused, foreign] = await Promise.allSettled([
      ctx.inSharedTransaction(work, 'a'),
      ctx.inSharedTransaction(work, 'b'),
      ctx.inSharedTransaction(work, 'refused'),
      other.inSharedTransaction(work, 'c'),
    ]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^\d+$/) });
    expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
    expect(foreign).toMatchObject({ status: 'fulfilled' });
    expect(foreign).not.toEqual(first);
  });

  it('does not fail a call because of the values of another one', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const [good, broken] = await Promise.allSettled([
      ctx.inSharedTransaction(work, 'a'),
      ctx.inSharedTransaction(work, 'broken'),
    ]);
    expect([good.status, broken.status]).toEqual(['fulfilled', 'rejected']);
  });

  it('uses the surrounding transaction if there is one', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await ctx.inTransaction(async (tx) => {
      const [own] = await tx.db.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
      expect(await contextInTransaction(ctx, tx).inSharedTransaction(work, 'a')).toBe(own?.id);
    });
  });
});
