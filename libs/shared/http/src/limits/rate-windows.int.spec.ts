import { silentLogger, useTestDatabase } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { queueBackEnd } from '@eas/testing/queue-back-end';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createCallBudget } from './call-budget.ts';
import { createRateWindows } from './rate-windows.ts';
import { type CountPoints, countInPostgres, countInRedis } from './rate-windows.store.ts';
import { sweepRateWindows } from './rate-windows.sweeper.ts';

const testDatabase = useTestDatabase();
const budgetOf = (count: CountPoints) =>
  createCallBudget({ count, logger: silentLogger, perTenant: 100_000, failedLookUps: 300 });

describe('rate windows on Postgres', () => {
  it('are shared by processes and last a minute', async () => {
    const make = () =>
      createRateWindows({ count: countInPostgres(testDatabase.database.db, hangMs), logger: silentLogger });
    const [one, two] = [make(), make()];
    const states = [];
    for (let call = 0; call < 15; call += 1) states.push(await one('key_a', 20), await two('key_a', 20));
    expect(states.filter(({ isAllowed }) => isAllowed).length).toBeLessThanOrEqual(22);
    expect(states.at(-1)).toMatchObject({ isAllowed: false, limit: 20, remaining: 0 });
    const waitSeconds = (states[0]?.resetAtSeconds ?? 0) - Date.now() / 1_000;
    expect(waitSeconds).toBeGreaterThan(20);
    expect(waitSeconds).toBeLessThanOrEqual(61);
  });

  it('are stored in the unlogged table, one row per credential', async () => {
    const { take } = budgetOf(countInPostgres(testDatabase.database.db, hangMs));
    const caller = { tenantId: 'tnt_1', credentialId: 'key_b', rateLimit: 100 };
    await take(caller, 'api');
    await take(caller, 'agent');
    const rows = await testDatabase.database.db.query<{ key: string; points: number }>(
      `SELECT key, points FROM rate_windows WHERE key LIKE '%key_b' ORDER BY key`,
    );
    expect(rows).toEqual([
      { key: expect.stringContaining('agent:key_b'), points: 1 },
      { key: expect.stringMatching(/key_b$/), points: 1 },
    ]);
  });
});

describe('the sweep of rate windows', () => {
  it('deletes those that are over and keeps those that run', async () => {
    const { db } = testDatabase.database;
    const now = Date.now();
    const windows = [now - 3_600_000, now - 601_000, now - 1_000, now + 30_000];
    await db.query(
      `INSERT INTO rate_windows (key, points, expire) SELECT 'swept:' || n, 1, e FROM unnest($1::bigint[]) WITH ORDINALITY AS w(e, n)`,
      [windows],
    );
    expect(await sweepRateWindows(db)).toBe(2);
    const left = await db.query(`SELECT key FROM rate_windows WHERE key LIKE 'swept:%' ORDER BY key`);
    expect(left).toEqual([{ key: 'swept:3' }, { key: 'swept:4' }]);
  });
});

describe('throttles on Postgres', () => {
  it('are shared by processes, take any text as a key and do not store it', async () => {
    const { db } = testDatabase.database;
    const make = () => budgetOf(countInPostgres(db, hangMs)).attempt;
    const [one, two] = [make(), make()];
    const key = `sign-in ada@example.com\0${'x'.repeat(300)}`;
    for (let call = 0; call < 3; call += 1) await one(key, 3);
    await expect(two(key, 3)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': expect.any(String) },
    });
    await two(`another ${key}`, 3);
    expect(await db.query(`SELECT 1 FROM rate_windows WHERE key LIKE '%ada@%'`)).toEqual([]);
  });
});

// Registered only in a run on Redis, so that a run on Postgres has nothing to skip.
if (queueBackEnd.redisUrl) describe('rate windows on Redis', () => countsOnRedis(queueBackEnd.redisUrl ?? ''));

function countsOnRedis(redisUrl: string): void {
  const connectAll = () => [1, 2].map(() => new Redis(redisUrl, { maxRetriesPerRequest: 1 }));

  it('are shared by processes', async () => {
    const keyPrefix = `test:${process.pid}:${Date.now()}`;
    const clients = connectAll();
    await Promise.all(clients.map((client) => client.ping()));
    const processes = clients.map((client) =>
      createRateWindows({ count: countInRedis(client, keyPrefix, hangMs), logger: silentLogger }),
    );
    const states = [];
    for (let call = 0; call < 15; call += 1) for (const windows of processes) states.push(await windows('key_c', 20));
    expect(states.filter(({ isAllowed }) => isAllowed).length).toBeLessThanOrEqual(22);
    expect(states.at(-1)).toMatchObject({ isAllowed: false, remaining: 0 });
    for (const client of clients) client.disconnect();
  });

  it('fall back to this process when Redis is unavailable', async () => {
    const [client, other] = connectAll();
    other?.disconnect();
    await client?.ping();
    client?.disconnect();
    let fallbacks = 0;
    const count = countInRedis(client as Redis);
    const windows = createRateWindows({ count, logger: silentLogger, onFallback: () => (fallbacks += 1) });
    expect(await windows('key_d', 20)).toMatchObject({ isAllowed: true, remaining: 19 });
    expect(fallbacks).toBe(1);
  });
}
