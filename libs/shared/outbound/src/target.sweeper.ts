import {
  type Db,
  distinctKeysSql,
  earliestAt,
  earliestOfFewSql,
  firstRowsSql,
  inBatches,
  isLockedRowSql,
  removeInBatches,
} from '@eas/db';
import type { DestinationTable, MessageTable } from './target-kind.ts';
import { fieldsOf, isActiveSql, isDueSql, startsAtSql } from './target.store.ts';

/** `turn`: its number among those of its tenant. */
export type DueDestination = { tenantId: string; key: Record<string, string>; turn: number; isSlow: boolean };

const perTenant = 50;
const perSweep = 500;

/**
 * Destinations of all tenants where something may be sent now, those of each tenant in turns, slow ones last. Nothing is
 * claimed.
 */
export async function findDue(db: Db, destinations: DestinationTable): Promise<DueDestination[]> {
  const { table, key, dueAt, slowCount } = destinations;
  // From tenant to tenant, and of each only its first: a tenant with much to do does not put off the others.
  const tenants = distinctKeysSql('due_tenants', { from: table, column: 'tenant_id', where: `${dueAt} IS NOT NULL` });
  const [order, isSlow] = slowCount ? [`${slowCount}, ${dueAt}`, `${slowCount} > 0`] : [dueAt, 'false'];
  const turn = `row_number() OVER (ORDER BY ${order})::int AS turn`;
  const first = firstRowsSql('d', {
    from: table,
    select: `${fieldsOf(['tenantId', ...key])}, ${isSlow} AS "isSlow", ${turn}`,
    where: `tenant_id = t.tenant_id AND ${isDueSql(destinations)}`,
    orderBy: order,
    limit: perTenant,
  });
  const sql = `WITH RECURSIVE ${tenants} SELECT d.* FROM due_tenants t ${first} ORDER BY "isSlow", turn LIMIT ${perSweep}`;
  const rows = await db.query<Omit<DueDestination, 'key'>>(sql);
  return rows.map(({ tenantId, turn, isSlow, ...row }) => ({ tenantId, turn, isSlow, key: row }));
}

/** When something may be sent next, for all tenants, or earlier. Reads one destination that is not due yet. */
export const nextDueAt = (db: Db, { table, stoppedBy = 'NULL', ...at }: DestinationTable): Promise<Date | null> =>
  earliestAt(
    db,
    earliestOfFewSql(
      `SELECT ${startsAtSql({ table, ...at })} FROM ${table}
      WHERE ${at.dueAt} <= app_now() AND ${stoppedBy} IS NULL AND ${isActiveSql('tenant_id')}`,
    ),
    `SELECT ${at.dueAt} FROM ${table} WHERE ${at.dueAt} > app_now() ORDER BY ${at.dueAt} LIMIT 1`,
  );

const waitsSql = ({ states }: MessageTable): string => `state = '${states.waiting}'`;

/** Gives up messages of all tenants that have waited for so many hours. Returns their number. */
export function expireMessages(db: Db, messages: MessageTable, hours: number, signal?: AbortSignal): Promise<number> {
  const { table, dueAt, settledAt } = messages;
  const where = `${waitsSql(messages)} AND created_at < app_now() - interval '${hours} hours'`;
  const sql = `
    UPDATE ${table} SET state = 'expired', ${dueAt} = NULL, ${settledAt} = app_now(),
      last_error = coalesce(last_error, 'too_old')
    WHERE ${isLockedRowSql({ table, where, orderBy: 'created_at', limit: '$1' })} RETURNING 1`;
  return inBatches(async (limit) => (await db.query(sql, [limit])).length, { signal });
}

/** Removes messages of all tenants that were settled so many days ago; of 0 days none. */
export async function removeOldMessages(
  db: Db,
  messages: MessageTable,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  if (days === 0) return;
  const { table, settledAt, states } = messages;
  const where = `state <> '${states.waiting}' AND ${settledAt} < app_now() - $2 * interval '1 day'`;
  await removeInBatches(db, { table, where, orderBy: settledAt, values: [days], signal });
}

/** Messages of all tenants that wait, counted up to 10,000. */
export async function countWaiting(db: Db, messages: MessageTable): Promise<number> {
  const sql = `SELECT count(*)::int AS waiting
    FROM (SELECT 1 FROM ${messages.table} WHERE ${waitsSql(messages)} LIMIT 10000) AS w`;
  return (await db.query<{ waiting: number }>(sql))[0]?.waiting ?? 0;
}
