import type { Db } from '../connection/db.ts';
import { distinctKeysSql } from '../plans/distinct-keys.ts';
import { firstRowsSql } from '../plans/rows-of-each.ts';
import { daysOf, type HistoryRetention, type RetainedTable, retainedTables } from './retention.ts';

/** A partition whose whole month is older than the limit. Ids of its events are at or after `fromId`, before `beforeId`. */
export type OldMonth = {
  table: RetainedTable;
  /** `2026-08` */
  month: string;
  fromId: string;
  beforeId: string;
  /** From the statistics. */
  estimatedRows: number;
};

const oldSql = `
  SELECT m.parent AS table, to_char(m.month, 'YYYY-MM') AS month, 'evt_' || ulid_prefix(m.month AT TIME ZONE 'UTC') AS "fromId",
    'evt_' || ulid_prefix(m.next_month AT TIME ZONE 'UTC') AS "beforeId", greatest(m.rows, 0)::float8 AS "estimatedRows"
  FROM (
    SELECT p.relname::text AS parent, c.reltuples AS rows, to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AS month,
      to_date(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month' AS next_month
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
    WHERE p.oid = ANY ($1::text[]::regclass[]) AND c.relname ~ '_\\d{4}_\\d{2}$'
  ) AS m JOIN unnest($1::text[], $2::int[]) AS k (parent, days) ON k.parent = m.parent
  WHERE m.next_month AT TIME ZONE 'UTC' <= app_now() - k.days * interval '1 day'
  ORDER BY m.month, array_position($1::text[], m.parent)`;

/** Oldest month first; within a month attempts, then deliveries, events and sessions. */
export function readOldMonths(db: Db, retention: HistoryRetention): Promise<OldMonth[]> {
  const limited = retainedTables.filter((table) => daysOf(retention, table) > 0);
  return db.query<OldMonth>(oldSql, [limited, limited.map((table) => daysOf(retention, table))]);
}

const unfinishedSql = `
  SELECT (SELECT count(*) FROM deliveries WHERE status = 'pending' AND event_id >= $1 AND event_id < $2)::int AS pending,
    (SELECT count(*) FROM deliveries WHERE status = 'held' AND event_id >= $1 AND event_id < $2)::int AS held`;

/** Unfinished deliveries of the month. They have indexes of their own, so other deliveries do not slow this down. */
export async function countUnfinished(
  db: Db,
  { fromId, beforeId }: OldMonth,
): Promise<{ pending: number; held: number }> {
  const [counts] = await db.query<{ pending: number; held: number }>(unfinishedSql, [fromId, beforeId]);
  return counts ?? { pending: 0, held: 0 };
}

const deadSql = `
  SELECT count(*)::int AS dead FROM outbox WHERE dead_at IS NOT NULL AND event_id >= $1 AND event_id < $2`;

/** Rows of the outbox that a consumer gave up on, for events of the month. */
export async function countDead(db: Db, { fromId, beforeId }: OldMonth): Promise<number> {
  const [row] = await db.query<{ dead: number }>(deadSql, [fromId, beforeId]);
  return row?.dead ?? 0;
}

// Tenant by tenant into the month of each, so other pending rows are not read. A consumer that has numbers left to read
// is due by a row, mostly that of a later event.
const unconsumedSql = `
  WITH RECURSIVE ${distinctKeysSql('tenants', { from: 'outbox', column: 'tenant_id' })}
  (SELECT f.tenant_id AS "tenantId", f.event_id AS "eventId", f.consumer
  FROM tenants t
  ${firstRowsSql('f', {
    select: 'o.tenant_id, o.event_id, o.consumer',
    from: 'outbox o',
    where: 'o.tenant_id = t.tenant_id AND o.event_id >= $1 AND o.event_id < $2 AND o.dead_at IS NULL',
    orderBy: 'o.event_id',
  })} LIMIT 1)
  UNION ALL
  (SELECT c.tenant_id, next.event_id, c.consumer
  FROM tenants t JOIN event_cursors c ON c.tenant_id = t.tenant_id
  ${firstRowsSql('next', {
    select: 'n.event_id',
    from: 'event_numbers n',
    where: 'n.tenant_id = c.tenant_id AND n.number > c.number',
    orderBy: 'n.number',
  })} WHERE next.event_id >= $1 AND next.event_id < $2 LIMIT 1)
  LIMIT 1`;

export type UnconsumedEvent = { tenantId: string; eventId: string; consumer: string };

/** An event of the month that a consumer has not processed yet. */
export async function findUnconsumed(db: Db, { fromId, beforeId }: OldMonth): Promise<UnconsumedEvent | undefined> {
  return (await db.query<UnconsumedEvent>(unconsumedSql, [fromId, beforeId]))[0];
}

/** Dropping locks the parent: waiting for that lock would hold up every write of an event. */
const dropSql = `
  WITH bounded AS MATERIALIZED (SELECT set_config('lock_timeout', '1s', true))
  SELECT drop_event_partition($1, ($2 || '-01')::date) AS "isDropped" FROM bounded`;

/**
 * Events that are still needed go to the default partition. False: another process was faster. Throws when the table is not
 * free for 1 s; a later run tries again.
 */
export async function dropMonth(db: Db, { table, month }: OldMonth): Promise<boolean> {
  const [row] = await db.query<{ isDropped: boolean }>(dropSql, [table, month]);
  return row?.isDropped ?? false;
}
