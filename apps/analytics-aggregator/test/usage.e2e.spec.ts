import type { Loop } from '@eas/runtime';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startMeasuringUsage } from '../src/measuring-usage.ts';

const test = useTestDatabase();
let loops: Loop[] = [];
afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  loops = [];
});

describe('the usage of tenants', () => {
  it('is measured by several processes at once, and their storage once a day', async () => {
    const tenantId = await test.createTenant();
    await test.database.db.query(`INSERT INTO event_counters VALUES ($1, 1)`, [tenantId]);
    await test.database.db.query(
      `INSERT INTO event_numbers VALUES ($1, 1, 'evt_' || ulid_prefix(app_now()) || '0000000000000000')`,
      [tenantId],
    );
    for (let process = 0; process < 3; process += 1)
      loops.push(...startMeasuringUsage(test.database, { logger: silentLogger }));
    const read = () =>
      test.database.db.query<{ events: number; bytes: number; days: number }>(
        `SELECT events, storage_bytes AS bytes, storage_days AS days FROM tenant_usage WHERE tenant_id = $1`,
        [tenantId],
      );
    await eventually(async () => (await read()).some(({ events, days }) => events === 1 && days === 1));
    expect((await read())[0]?.bytes).toBeGreaterThan(0);
    loops.push(...startMeasuringUsage(test.database, { logger: silentLogger }));
    await eventually(async () => (await test.database.db.query('SELECT FROM claimed_times')).length > 0);
    expect(await read()).toHaveLength(1);
    expect((await read())[0]?.days).toBe(1);
  });
});
