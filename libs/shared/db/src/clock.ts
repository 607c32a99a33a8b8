import type { Clock, Logger } from '@eas/core';
import type pg from 'pg';

/**
 * The database's clock, known in the process: the offset is measured every `intervalMs` over the shortest round trip.
 * Times that are stored come from it, so that all processes write one time line.
 */
export async function createDatabaseClock(
  pool: pg.Pool,
  logger: Logger,
  intervalMs = 10_000,
): Promise<Clock & { close(): void }> {
  let offsetMs = 0;
  async function measure(): Promise<void> {
    let shortestMs = Infinity;
    for (let sample = 0; sample < 3; sample += 1) {
      const sentAt = Date.now();
      const started = performance.now();
      const { rows } = await pool.query<{ at: Date }>('SELECT app_now() AS at');
      const tripMs = performance.now() - started;
      if (tripMs >= shortestMs || !rows[0]) continue;
      shortestMs = tripMs;
      offsetMs = Math.round(rows[0].at.getTime() - (sentAt + tripMs / 2));
    }
  }
  await measure();
  const timer = setInterval(() => {
    measure().catch((error: Error) => logger.warn({ err: error }, 'database clock not measured; keeping the offset'));
  }, intervalMs);
  timer.unref();
  return {
    now: () => new Date(Date.now() + offsetMs),
    monotonicMs: () => performance.now(),
    close: () => clearInterval(timer),
  };
}
