import { type Db, distinctKeysSql, isLockedRowSql } from '@eas/db';

// Times of a clock that was ahead and has been set back are ignored too.
const isSilentSql = (aliveAt: string) => `coalesce(abs(extract(epoch FROM app_now() - ${aliveAt})) > $1::int, true)`;

// One watcher for each process.
const silentSql = `
  WITH RECURSIVE ${distinctKeysSql('watchers', { from: 'agents', column: 'seen_by', where: 'seen_by IS NOT NULL' })}
  SELECT w.seen_by AS id, least(k.alive_at, app_now()) AS "aliveAt"
  FROM watchers w LEFT JOIN agent_watchers k ON k.id = w.seen_by
  WHERE ${isSilentSql('k.alive_at')}`;

export type SilentWatcher = { id: string; aliveAt: Date | null };

/** Watchers of agents that were silent for that time. */
export function findSilentWatchers(db: Db, seconds: number): Promise<SilentWatcher[]> {
  return db.query<SilentWatcher>(silentSql, [seconds]);
}

const leftBehindSql = `
  UPDATE agents SET seen_by = NULL, waiting_until = NULL, last_seen_at = greatest(last_seen_at, $2)
  WHERE ${isLockedRowSql({ table: 'agents', where: 'seen_by = $1', limit: '$3', lock: 'no key' })} RETURNING 1`;

/** Sets the last-seen time of the watcher's agents to its own last sign. Returns how many, at most `limit`. */
export async function markLeftBehind(db: Db, { id, aliveAt }: SilentWatcher, limit: number): Promise<number> {
  return (await db.query(leftBehindSql, [id, aliveAt, limit])).length;
}

const forgetSql = `
  DELETE FROM agent_watchers w WHERE ${isSilentSql('w.alive_at')}
    AND NOT EXISTS (SELECT FROM agents WHERE seen_by = w.id)`;

/** Deletes watchers that were silent for that time and have no agents left. */
export async function forgetWatchers(db: Db, seconds: number): Promise<void> {
  await db.query(forgetSql, [seconds]);
}
