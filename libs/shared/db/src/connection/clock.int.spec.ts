import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createDatabaseClock } from './clock.ts';

const test = useTestDatabase();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  await test.shiftClock(0);
  for (const one of open.splice(0)) await one.close();
});

const startClock = async (intervalMs: number, warn?: () => void) => (await startClockOn(intervalMs, warn)).clock;

async function startClockOn(intervalMs: number, warn: () => void = () => {}) {
  const pool = new pg.Pool({ connectionString: test.url, max: 1 });
  pool.on('error', () => {});
  pool.on('connect', (connection) => connection.on('error', () => {}));
  const clock = await createDatabaseClock(pool, { ...silentLogger, warn }, intervalMs);
  open.push(clock, { close: () => pool.end() });
  return { clock, pool };
}
const offsetMs = (now: Date) => now.getTime() - Date.now();
/** Tolerance for the round trip of a busy machine; far less than the hours by which tests move the clock. */
const tripMs = 60_000;

describe('the clock of the database', () => {
  it('is known at once, however far it is from the clock of this process', async () => {
    await test.shiftClock(-7_200);
    expect(Math.abs(offsetMs((await startClock(60_000)).now()) + 7_200_000)).toBeLessThan(tripMs);
  });

  it('is followed when it moves', async () => {
    const clock = await startClock(20);
    expect(Math.abs(offsetMs(clock.now()))).toBeLessThan(tripMs);
    await test.shiftClock(86_400);
    await eventually(() => offsetMs(clock.now()) > 86_000_000);
    await test.shiftClock(0);
    await eventually(() => Math.abs(offsetMs(clock.now())) < tripMs);
  });

  it('keeps the offset and logs that while the database does not respond', async () => {
    await test.shiftClock(3_600);
    let warnings = 0;
    const clock = await startClock(20, () => (warnings += 1));
    await test.database.db.query('ALTER FUNCTION app_now() RENAME TO gone');
    await eventually(() => warnings > 1);
    expect(Math.abs(offsetMs(clock.now()) - 3_600_000)).toBeLessThan(tripMs);
    await test.database.db.query('ALTER FUNCTION gone() RENAME TO app_now');
  });

  it('ignores the wait for a free connection, and keeps the offset after a slow round trip', async () => {
    const { pool, clock } = await startClockOn(200);
    const held = await pool.connect();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    held.release();
    await eventually(() => pool.idleCount === 1);
    // Less than half of the waiting time.
    expect(Math.abs(offsetMs(clock.now()))).toBeLessThan(1_500);
    await test.shiftClock(3_600);
    await eventually(() => offsetMs(clock.now()) > 3_000_000);
    const slow = await pool.connect();
    const query = slow.query.bind(slow) as (text: string) => Promise<unknown>;
    slow.query = (async (text: string) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return query(text);
    }) as never;
    slow.release();
    await test.shiftClock(0);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(offsetMs(clock.now())).toBeGreaterThan(3_000_000);
  });

  it('does not change when the clock of this process is set', async () => {
    const clock = await startClock(60_000);
    const { now } = Date;
    const before = clock.now().getTime();
    Date.now = () => now() + 3_600_000;
    const after = clock.now().getTime();
    Date.now = now;
    expect(after - before).toBeLessThan(tripMs);
  });

  it('does not affect durations', async () => {
    const clock = await startClock(10);
    const before = clock.monotonicMs();
    await test.shiftClock(-3_600);
    await eventually(() => offsetMs(clock.now()) < -3_000_000);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(before);
    expect(clock.monotonicMs() - before).toBeLessThan(3_000_000);
  });
});
