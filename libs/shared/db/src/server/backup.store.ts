import type { Db } from '../connection/db.ts';

/** `tool`: what made it. `ageMs`: how long ago it was begun, which is the moment that it has. */
export type MadeBackup = { tool: string; ageMs: number; bytes?: number | undefined };

const recordSql = `
  INSERT INTO backups AS b (tool, taken_at, bytes) VALUES ($1, app_now() - $2::float8 * interval '1 ms', $3)
  ON CONFLICT (tool) DO UPDATE SET taken_at = excluded.taken_at, bytes = excluded.bytes
  WHERE b.taken_at <= excluded.taken_at`;

/** Keeps the newest backup of each tool. */
export async function recordBackup(db: Db, { tool, ageMs, bytes }: MadeBackup): Promise<void> {
  await db.query(recordSql, [tool, ageMs, bytes ?? null]);
}

export type RecordedBackup = { tool: string; takenAt: Date; ageSeconds: number; bytes: number | null };

const newestSql = `
  SELECT tool, taken_at AS "takenAt", extract(epoch FROM app_now() - taken_at)::float8 AS "ageSeconds", bytes
  FROM backups ORDER BY taken_at DESC LIMIT 1`;

/** Undefined if none was ever recorded. */
export async function newestBackup(db: Db): Promise<RecordedBackup | undefined> {
  return (await db.query<RecordedBackup>(newestSql))[0];
}
