/**
 * For the rest of the transaction, rows are read in the order of an index and not sorted: of a backlog only the head.
 * To a planner with statistics from before the backlog both cost the same.
 */
export const inIndexOrderSql = settingsSql({ enable_sort: 'off' });

/** Ends it, for further statements of the transaction. */
export const inAnyOrderSql = settingsSql({ enable_sort: 'on' });

/**
 * The same for a table whose rows leave an index soon after they entered it. A plain scan marks their index entries as
 * dead the first time; a bitmap scan reads all of them until the next vacuum.
 */
export const inFreshIndexOrderSql = settingsSql({ enable_sort: 'off', enable_bitmapscan: 'off' });

/**
 * The commit of the transaction does not wait for the disk: for claims and marks, which count for seconds. A crash of
 * Postgres may undo them, and then another worker does what was in flight.
 */
export const unsyncedSql = settingsSql({ synchronous_commit: 'off' });

/** Both, for a transaction that does nothing but mark the head of a backlog. */
export const markingHeadSql = settingsSql({ enable_sort: 'off', synchronous_commit: 'off' });

/** Sets them until the end of the transaction. */
function settingsSql(settings: Record<string, string>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${calls.join(', ')}`;
}
