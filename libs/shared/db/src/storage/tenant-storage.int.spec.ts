import { pagesFetchedBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sampleStorage } from './tenant-storage.sweeper.ts';

const test = useTestDatabase();
/** How many of a hundred rows each has. */
const shares = [60, 25, 10, 4, 1];
let tenants: string[] = [];

/** Rows of all tenants mixed, a tenth of them with a large value, which is stored outside of the row. */
const fillSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT ($1::text[])[CASE WHEN n % 100 < 60 THEN 1 WHEN n % 100 < 85 THEN 2 WHEN n % 100 < 95 THEN 3 WHEN n % 100 < 99 THEN 4 ELSE 5 END],
    'evt_' || ulid_prefix(now()) || lpad(n::text, 16, '0'), 'task.created', now(),
    json_build_object('text', CASE WHEN n % 10 = 7
      THEN (SELECT string_agg(md5(n::text || i::text), '') FROM generate_series(1, 150) AS i) ELSE repeat('x', 400) END)
  FROM generate_series(1, 30000) AS n`;

const sizeSql = `
  SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND pg_relation_size(c.oid) > 0
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')`;

const sample = (mostPages?: number) => sampleStorage(test.database, undefined, mostPages);
const bytesOf = (sampled: ReadonlyMap<string, number> | undefined) => tenants.map((id) => sampled?.get(id) ?? 0);

beforeAll(async () => {
  tenants = [];
  for (const _ of shares) tenants.push(await test.createTenant());
  await test.database.db.query(fillSql, [tenants]);
});

describe('the storage of tenants', () => {
  it('is all that the tables of tenants take up, with indexes and large values, shared by the bytes of rows', async () => {
    const sampled = await sample(Infinity);
    const [size] = await test.database.db.query<{ bytes: number }>(sizeSql);
    const all = [...(sampled?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);
    expect(Math.abs(all / (size?.bytes ?? 0) - 1)).toBeLessThan(0.001);
    const bytes = bytesOf(sampled);
    for (const [index, share] of shares.entries()) expect((bytes[index] ?? 0) / all).toBeCloseTo(share / 100, 1);
    expect(bytes).toEqual([...bytes].sort((a, b) => b - a));
  });

  it('is estimated from some pages of each table: each estimate is near, and the mean of a month nearer', async () => {
    const exact = bytesOf(await sample(Infinity));
    const days = 10;
    const sums = tenants.map(() => 0);
    for (let day = 0; day < days; day += 1)
      bytesOf(await sample(200)).forEach((bytes, index) => (sums[index] = (sums[index] ?? 0) + bytes));
    const errors = sums.map((sum, index) => Math.abs(sum / days / (exact[index] ?? 0) - 1));
    // Those of the large ones, and of the smallest one.
    for (const error of errors.slice(0, 3)) expect(error).toBeLessThan(0.15);
    expect(errors.at(-1)).toBeLessThan(0.5);
  });

  it('is read from a bounded number of pages', async () => {
    const pages = await pagesFetchedBy({ database: test.database, tenantId: '' }, ({ db }) =>
      sampleStorage({ db }, undefined, 50),
    );
    expect(pages['events']).toBeLessThan(150);
  });

  it('is not estimated to the end when the process ends', async () => {
    expect(await sampleStorage(test.database, AbortSignal.abort())).toBeUndefined();
  });
});
