import type { Db } from './connection/db.ts';

const claimSql = 'INSERT INTO claimed_times (name, at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name';

/** Claims the work of this name for a time of the clock. False: another process did. */
export async function claimTime(db: Db, name: string, at: Date): Promise<boolean> {
  return (await db.query(claimSql, [name, at])).length > 0;
}
