import type { Logger } from '@eas/core';
import type { Database } from '@eas/db';
import { type IdleWatch, type Loop, type PausingLoop, startLoop } from '@eas/runtime';

/** The interval of reading whether anything changed: the maximum delay until paused loops notice. */
const readMs = 500;
/** Time without a change until loops pause. */
const idleAfterMs = 1_000;
/** What is due and does not change anything is looked for again after this time. */
const lookAgainMs = 10_000;
/** The last time that a date can have. */
const maxTimeMs = 8.64e15;

// Equal snapshots see the same rows: in between nothing was committed, and nothing that was locked was released.
const stateSql = 'SELECT pg_current_snapshot()::text AS snapshot, app_now() AS now';

/**
 * Pauses loops while nothing changes in the database and nothing that they wait for is due: one statement in place of
 * theirs. A change by any process, a wake-up of the channel `outbox`, the next due time and an error end the pause.
 */
export function createIdleWatch(
  { db, listener }: Pick<Database, 'db' | 'listener'>,
  logger: Logger,
): IdleWatch & { stop(): Promise<void> } {
  const loops = new Set<PausingLoop>();
  let reading: { loop: Loop; stopListening: () => void } | undefined;
  let [snapshot, changedAtMs] = ['', 0];
  let idleUntil: Date | undefined;

  function resume(): void {
    changedAtMs = performance.now();
    if (!idleUntil) return;
    idleUntil = undefined;
    for (const { wake } of loops) wake();
  }

  async function read(): Promise<void> {
    try {
      const [state] = await db.query<{ snapshot: string; now: Date }>(stateSql);
      if (!state) return;
      const isDue = idleUntil !== undefined && idleUntil <= state.now;
      if (isDue || state.snapshot !== snapshot) resume();
      else if (!idleUntil && performance.now() - changedAtMs >= idleAfterMs) await pauseUntilDue(state.now);
      ({ snapshot } = state);
    } catch (error) {
      resume();
      throw error;
    }
  }

  async function pauseUntilDue(now: Date): Promise<void> {
    const readAtMs = changedAtMs;
    const dueTimes = await Promise.all([...loops].map(({ nextDueAt }) => nextDueAt()));
    const earliestMs = Math.min(...dueTimes.map((at) => at?.getTime() ?? maxTimeMs));
    if (changedAtMs !== readAtMs) return;
    if (earliestMs > now.getTime()) idleUntil = new Date(earliestMs);
    else changedAtMs += lookAgainMs;
  }

  return {
    isIdle: () => idleUntil !== undefined,
    add(loop) {
      loops.add(loop);
      reading ??= {
        loop: startLoop({ name: 'idle watch', everyMs: readMs, run: read, logger }),
        stopListening: listener.on('outbox', resume),
      };
      return () => void loops.delete(loop);
    },
    async stop() {
      reading?.stopListening();
      await reading?.loop.stop();
    },
  };
}
