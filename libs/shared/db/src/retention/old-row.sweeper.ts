import type { Db } from '../connection/db.ts';
import { distinctKeysSql } from '../plans/distinct-keys.ts';
import { firstRowsSql } from '../plans/rows-of-each.ts';
import type { RetainedTable } from './retention.ts';

/** Maximum number of rows that one statement deletes. */
const batchRows = 1_000;

/** Events that are no longer needed. */
const unneededSql = `
  NOT EXISTS (SELECT FROM outbox o WHERE o.tenant_id = d.tenant_id AND o.event_id = d.event_id)
  AND NOT EXISTS (SELECT FROM deliveries l
    WHERE l.tenant_id = d.tenant_id AND l.event_id = d.event_id AND l.status IN ('pending', 'held'))`;

// Tenant by tenant, so rows that stay are not read.
const defaultSql = (table: RetainedTable) => `
  WITH RECURSIVE ${distinctKeysSql('tenants', { from: `${table}_default`, column: 'tenant_id' })}, old AS MATERIALIZED (
    SELECT f.place FROM tenants t
    ${firstRowsSql('f', {
      select: 'd.ctid AS place',
      from: `${table}_default d`,
      where: `d.tenant_id = t.tenant_id AND ${isOldSql(table)} AND ${table === 'events' ? unneededSql : 'true'}`,
      orderBy: `d.${placeOf(table)}`,
      limit: batchRows,
      lock: 'FOR UPDATE SKIP LOCKED',
    })} LIMIT ${batchRows}
  ), gone AS (
    DELETE FROM ${table}_default d WHERE d.ctid = ANY (ARRAY(SELECT place FROM old)) RETURNING d.*
  )
  SELECT count(*)::int AS rows, ${unfinishedOf(table)} AS unfinished FROM gone`;

/** Determines the age of a row: its time, or the id of its event. */
const hasMoment = (table: RetainedTable) => table === 'session_batches' || table === 'model_calls';
const placeOf = (table: RetainedTable) => (hasMoment(table) ? 'at' : 'event_id');
const isOldSql = (table: RetainedTable) => {
  const limit = "app_now() - $1 * interval '1 day'";
  return hasMoment(table) ? `d.at < ${limit}` : `d.event_id < 'evt_' || ulid_prefix(${limit})`;
};

const unfinishedOf = (table: RetainedTable) =>
  table === 'deliveries' ? "(count(*) FILTER (WHERE status IN ('pending', 'held')))::int" : '0';

/** `unfinished`: deliveries that were pending or held. */
export type Deleted = { rows: number; unfinished: number; isMore: boolean };

/**
 * Deletes some rows of the default partition that are older than this number of days, except events that are pending
 * for a consumer or have an unfinished delivery.
 */
export async function deleteOldDefaults(db: Db, table: RetainedTable, days: number): Promise<Deleted> {
  const [row] = await db.query<Omit<Deleted, 'isMore'>>(defaultSql(table), [days]);
  const { rows, unfinished } = row ?? { rows: 0, unfinished: 0 };
  return { rows, unfinished, isMore: rows === batchRows };
}

const boundSql = `
  SELECT least('evt_' || ulid_prefix(app_now() - $1 * interval '1 day'), (
    SELECT 'evt_' || ulid_prefix(min(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp) AT TIME ZONE 'UTC')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'events'::regclass AND c.relname ~ '_\\d{4}_\\d{2}$'
  )) AS bound`;

/** Events before this id are gone, except those in the default partition. */
export async function readNumbersBound(db: Db, days: number): Promise<string> {
  const [row] = await db.query<{ bound: string }>(boundSql, [days]);
  return row?.bound ?? '';
}

const tenantsSql = `
  SELECT c.tenant_id AS "tenantId" FROM event_counters c
  WHERE c.tenant_id > $1 AND (
    SELECT n.event_id FROM event_numbers n WHERE n.tenant_id = c.tenant_id ORDER BY n.number LIMIT 1) < $2
  ORDER BY c.tenant_id LIMIT 1`;

/** The next tenant whose first number belongs to an event before the bound. */
export async function nextNumberedTenant(db: Db, after: string, bound: string): Promise<string | undefined> {
  return (await db.query<{ tenantId: string }>(tenantsSql, [after, bound]))[0]?.tenantId;
}

// By the primary key from the last deleted number on, so that deleted index entries are not read again.
const numbersSql = `
  WITH first AS MATERIALIZED (
    SELECT number, event_id FROM event_numbers WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT ${batchRows}
  ), gone AS (
    DELETE FROM event_numbers n WHERE n.tenant_id = $1 AND n.number = ANY (ARRAY(
      SELECT f.number FROM first f WHERE f.event_id < $3
        AND NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.event_id = f.event_id)))
    RETURNING n.number
  )
  SELECT count(*)::int AS rows, coalesce(max(number), $2)::float8 AS last FROM gone`;

/** Deletes some of a tenant's numbers after `after` whose events are gone; `last` is the last of them. */
export async function deleteOldNumbers(
  db: Db,
  tenantId: string,
  after: number,
  bound: string,
): Promise<Deleted & { last: number }> {
  const [row] = await db.query<{ rows: number; last: number }>(numbersSql, [tenantId, after, bound]);
  const { rows, last } = row ?? { rows: 0, last: after };
  // A batch with numbers that stay is not full, although more may follow.
  return { rows, unfinished: 0, isMore: rows > 0, last };
}
