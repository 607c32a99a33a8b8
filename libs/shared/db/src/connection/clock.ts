import type { Clock, Logger } from '@eas/core';
import type pg from 'pg';

/** A longer round trip makes the measured time too uncertain to correct the clock. */
const longestTripMs = 100;

/**
 * The database's clock in the process: its offset from the process's monotonic time is measured every `intervalMs` over
 * the shortest round trip. Stored times come from it, so that all processes use one time line, even while a machine's
 * clock is set.
 */
export async function createDatabaseClock(
  pool: pg.Pool,
  logger: Logger,
  intervalMs = 10_000,
): Promise<Clock & { close(): void }> {
  let offsetMs: number | undefined;
  async function measure(): Promise<void> {
    const seen = await shortestTrip(pool);
    if (offsetMs === undefined || seen.tripMs <= longestTripMs) offsetMs = seen.offsetMs;
  }
  await measure();
  const timer = setInterval(() => {
    measure().catch((error: Error) =>
      logger.warn({ err: error }, 'database clock not measured, keeping the last offset'),
    );
  }, intervalMs);
  timer.unref();
  return {
    now: () => new Date(Math.round(performance.now() + (offsetMs ?? 0))),
    monotonicMs: () => performance.now(),
    close: () => clearInterval(timer),
  };
}

/** Asks three times on one connection, so that waiting for a free one is not part of the round trip. */
async function shortestTrip(pool: pg.Pool): Promise<{ tripMs: number; offsetMs: number }> {
  const connection = await pool.connect();
  let failure: Error | undefined;
  try {
    let shortest = { tripMs: Infinity, offsetMs: 0 };
    for (let sample = 0; sample < 3; sample += 1) {
      const started = performance.now();
      const { rows } = await connection.query<{ at: Date }>('SELECT app_now() AS at');
      const tripMs = performance.now() - started;
      if (tripMs >= shortest.tripMs || !rows[0]) continue;
      shortest = { tripMs, offsetMs: rows[0].at.getTime() - (started + tripMs / 2) };
    }
    return shortest;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    connection.release(failure);
  }
}
