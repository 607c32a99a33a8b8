import { useTestDatabase } from '@eas/testing';
import { mostKeptBytes } from '@eas/testing/kept-memory';
import { expect, it } from '@jest/globals';
import { type Db, ResultTooLarge } from './db.ts';

const test = useTestDatabase();
/** Rows of 100 kB. */
const rowsSql = "SELECT repeat('x', 100000) AS text FROM generate_series(1, $1::int)";
const rows = (db: Db, count: number, maxBytes?: number) =>
  db.query<{ text: string }>(rowsSql, [count], maxBytes === undefined ? {} : { maxBytes });

it('a result over its size limit fails only its call', async () => {
  const { db } = test.database;
  const [large, small] = await Promise.allSettled([rows(db, 11, 1_000_000), rows(db, 10, 1_000_000)]);
  expect(large).toEqual({ status: 'rejected', reason: expect.any(ResultTooLarge) });
  expect(small).toMatchObject({ value: { length: 10 } });
});

it('rows of a too large result are dropped as they arrive: 500 MB take next to no memory', async () => {
  const kept = await mostKeptBytes(() => expect(rows(test.database.db, 5_000)).rejects.toBeInstanceOf(ResultTooLarge));
  expect(kept).toBeLessThan(200 * 1_024 * 1_024);
});

it('later statements of the transaction still run', async () => {
  const found = await test.database.inTransaction('tnt_1', async (tx) => {
    const large = rows(tx.db, 11, 1_000_000).catch((error: unknown) => error);
    const small = rows(tx.db, 1);
    expect(await large).toBeInstanceOf(ResultTooLarge);
    return small;
  });
  expect(found).toHaveLength(1);
});
