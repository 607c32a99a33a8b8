import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Any constant: a process that migrates holds this advisory lock. */
const migrationLock = 7_261_533;
const pollMs = 250;

export type LockWait = { sayAfterMs: number; onWait: (sentence: string) => void };

/**
 * Waits until no other process migrates, and says so once after `sayAfterMs`. It asks again and again: a session that
 * waits for a lock inside a statement has a snapshot, and an index that is built concurrently waits for the end of
 * those. The lock ends with the connection.
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

/** What waits for a table holds up everything that comes to it later, so it gives up before `lock_timeout` of the apps. */
export const lockTimeoutMs = 1_000;

const concurrentIndex = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i;

/**
 * The index that a migration builds beside reads and writes; it has to be its only statement. It needs no lock that holds
 * anybody up, waits for older transactions as long as they take, and runs outside of a transaction.
 */
export const builtConcurrently = (script: string): string | undefined =>
  concurrentIndex.exec(script.replaceAll(/^\s*--.*$/gm, '').trim())?.[1];

/** Whether the error is that a lock was not to be had in time. The whole script was undone then. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';
