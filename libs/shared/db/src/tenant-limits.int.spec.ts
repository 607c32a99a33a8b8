import { useTestDatabase } from '@eas/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { assertBelowLimit } from './tenant-limits.ts';
import type { Tx } from './transactions/tx.ts';

const test = useTestDatabase();
beforeAll(() => test.database.db.query('CREATE TABLE shelves (tenant_id text, name text)'));

const countSql = 'SELECT count(*) AS n FROM shelves WHERE tenant_id = $1';
const countOf = async (tx: Tx) => (await tx.db.query<{ n: number }>(countSql, [tx.tenantId]))[0]?.n ?? 0;
const add = (tenantId: string, max: number) =>
  test.database.inTransaction(tenantId, async (tx) => {
    await assertBelowLimit(tx, 'endpoints', max, () => countOf(tx));
    await tx.db.query('INSERT INTO shelves VALUES ($1, $2)', [tenantId, 'one more']);
  });

it('rows are added up to the limit, however many are added at once', async () => {
  const added = await Promise.allSettled([
    ...Array.from({ length: 30 }, () => add('tnt_1', 7)),
    ...Array.from({ length: 5 }, () => add('tnt_2', 7)),
  ]);
  const refused = added.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(23);
  for (const { reason } of refused)
    expect(reason).toMatchObject({
      code: 'conflict',
      violations: [{ constraint: 'limit' }],
      message: expect.stringContaining('at most 7 endpoints'),
    });
  const counts = await test.database.db.query(
    'SELECT tenant_id AS id, count(*) AS n FROM shelves GROUP BY 1 ORDER BY 1',
  );
  expect(counts).toEqual([
    { id: 'tnt_1', n: 7 },
    { id: 'tnt_2', n: 5 },
  ]);
});
