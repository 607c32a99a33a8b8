/**
 * For the rest of the transaction, rows are read in the order of an index and not sorted: of a backlog only the head.
 * To a planner with statistics from before the backlog both cost the same.
 */
export const inIndexOrderSql = settingsSql({ enable_sort: 'off' });

/**
 * The same for a table whose rows leave an index soon after they entered it. A plain scan marks their index entries as
 * dead the first time; a bitmap scan reads all of them until the next vacuum.
 */
export const inFreshIndexOrderSql = settingsSql({ enable_sort: 'off', enable_bitmapscan: 'off' });

/** Sets them until the end of the transaction. */
function settingsSql(settings: Record<string, string>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `SELECT ${calls.join(', ')}`;
}
