import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** An arbitrary key: a process that migrates holds this advisory lock. */
const migrationLock = 7_261_533;
const pollMs = 250;

export type LockWait = { sayAfterMs: number; onWait: (sentence: string) => void };

/**
 * Waits until no other process migrates, and reports that once after `sayAfterMs`. It polls: a session that waits for a
 * lock inside a statement has a snapshot, and building an index concurrently waits for the end of all snapshots. The
 * lock ends with the connection.
 */
export async function takeMigrationLock(client: pg.Client, { sayAfterMs, onWait }: LockWait): Promise<void> {
  const sayAt = performance.now() + sayAfterMs;
  for (let hasSaid = false; ;) {
    const { rows } = await client.query<{ isTaken: boolean }>('SELECT pg_try_advisory_lock($1) AS "isTaken"', [
      migrationLock,
    ]);
    if (rows[0]?.isTaken) return;
    if (!hasSaid && performance.now() >= sayAt) {
      hasSaid = true;
      onWait('another migration of this database is running; waiting for its end');
    }
    await sleep(pollMs);
  }
}

/** A statement that waits for a table holds up all later ones, so it gives up before the `lock_timeout` of the apps. */
export const lockTimeoutMs = 1_000;

const concurrentIndex = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i;

/**
 * The index that a migration builds concurrently, as its only statement. It blocks no reads or writes, waits for older
 * transactions as long as they take, and runs outside of a transaction.
 */
export const builtConcurrently = (script: string): string | undefined =>
  concurrentIndex.exec(script.replaceAll(/^\s*--.*$/gm, '').trim())?.[1];

/** Whether a lock could not be acquired in time. The whole script was rolled back then. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';
