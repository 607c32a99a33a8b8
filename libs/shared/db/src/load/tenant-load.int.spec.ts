import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimTime } from '../claimed-times.sweeper.ts';
import { createTenantLoads } from './tenant-loads.ts';
import { readLoudest, recordLoads, sweepLoads } from './tenant-load.sweeper.ts';

const test = useTestDatabase();
const query = (sql: string) => test.database.db.query(sql);
beforeEach(() => query('TRUNCATE tenant_loads, claimed_times'));
afterAll(() => test.shiftClock(0));

const hour = () => ({ from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000), limit: 10 });
const read = () => readLoudest(test.database.db, hour());

describe('the loudest tenants', () => {
  it('are those that all processes together did most for, with their share of everything', async () => {
    const [loud, quiet] = [await test.createTenant(), await test.createTenant()];
    const processes = [createTenantLoads(), createTenantLoads()];
    for (const loads of processes) {
      loads.add(loud, { calls: 30, databaseMs: 499.6, bytes: 65_536 });
      loads.add(quiet, { received: 9, attempts: 1 });
      for (let other = 0; other < 40; other += 1) loads.add(`tnt_other_${other}`, { calls: 1 });
    }
    await Promise.all(processes.map((loads) => recordLoads(test.database.db, loads)));
    const { tenants, weight } = await read();
    expect(weight).toBe(2 * (30 + 10 + 1 + 10 + 40));
    expect(tenants[0]).toMatchObject({ tenantId: loud, name: loud, calls: 60, databaseMs: 1_000, bytes: 131_072 });
    expect(tenants[0]?.share).toBeCloseTo(82 / 182);
    expect(tenants[1]).toMatchObject({ tenantId: quiet, received: 18, attempts: 2 });
    expect(tenants).toHaveLength(10);
    expect(tenants[2]).toMatchObject({ slug: null, name: null });
  });

  it('are none when nothing was done, and nothing is written then', async () => {
    await recordLoads(test.database.db, createTenantLoads());
    expect(await read()).toEqual({ tenants: [], weight: 0 });
  });

  it('are read from the minutes that are asked for, and removed after two hours', async () => {
    await query(
      `INSERT INTO tenant_loads SELECT 'tnt_' || n % 20, date_trunc('minute', now()) - n / 20 * interval '1 minute', 1, 1, 1, 1, 1
       FROM generate_series(0, 9999) AS n`,
    );
    await query('ANALYZE tenant_loads');
    const rows = await rowsReadBy({ database: test.database, tenantId: '' }, ({ db }) => readLoudest(db, hour()));
    // Those of an hour are 1,220, of 10,000.
    expect(rows['tenant_loads']).toBeLessThan(1_500);
    await claimTime(test.database.db, 'a', new Date(Date.now() - 2 * 86_400_000));
    expect(await sweepLoads(test.database.db)).toBeGreaterThan(7_000);
    const [kept] = await test.database.db.query<{ n: number }>('SELECT count(*) AS n FROM tenant_loads');
    expect(Math.abs((kept?.n ?? 0) - 2_410)).toBeLessThan(30);
  });
});

describe('a time of the clock', () => {
  it('is claimed by one of the processes that want it', async () => {
    const at = new Date(0);
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimTime(test.database.db, 'work', at)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimTime(test.database.db, 'other', at)).toBe(true);
    expect(await claimTime(test.database.db, 'work', new Date(1_000))).toBe(true);
  });
});
