import { rowByKeySql, type RowLock } from '@eas/db';
import { maxInHand, maxQueuedAtOnce } from './sending-limits.ts';

/** Queued or sending deliveries are searched among this number of the oldest due ones, which are queued first. */
const headRows = 2 * maxQueuedAtOnce;

/**
 * How many due deliveries of an endpoint are in a job or being sent, counted up to `maxInHand`. Only the head of the
 * backlog is read, however long it is (see inIndexOrderSql); an index on these would make every claim's update
 * expensive.
 */
export const inHandCountSql = (tenantId: string, endpointId: string) => `(
  SELECT count(*) FROM (
    SELECT FROM (
      SELECT b.queued_until, b.sending_until FROM deliveries b
      WHERE b.tenant_id = ${tenantId} AND b.endpoint_id = ${endpointId}
        AND b.status = 'pending' AND b.next_attempt_at <= app_now()
      ORDER BY b.next_attempt_at LIMIT ${headRows}
    ) AS head
    WHERE head.queued_until > app_now() OR head.sending_until > app_now() LIMIT ${maxInHand}
  ) AS in_hand)`;

/** Due deliveries without a job: never queued, their job was lost, or their worker died. */
export const dueAndFreeSql = (table: string) => `${table}.status = 'pending' AND ${dueUnsettledSql(table)}`;

/**
 * Pending, for rows that are found by their keys. Written so that the planner does not choose the index of due rows and
 * read an endpoint's whole backlog while its statistics are older than that.
 */
export const unsettledSql = (table: string) => `${table}.status <> ALL ('{delivered,dead}')`;

const dueUnsettledSql = (table: string) => `${table}.next_attempt_at <= app_now()
   AND (${table}.queued_until IS NULL OR ${table}.queued_until <= app_now())
   AND (${table}.sending_until IS NULL OR ${table}.sending_until <= app_now())`;

/** Rows of `source`, which has their keys, with their ctid. `d` in `condition` is the delivery. */
export const rowIdsSql = (source: string, condition: string, lock: RowLock) => `
  SELECT s.*, f.place, f.part FROM ${source} s
  ${rowByKeySql('f', {
    select: 'd.ctid AS place, d.tableoid AS part',
    from: 'deliveries d',
    where: `d.tenant_id = s.tenant_id AND d.event_id = s.event_id AND d.endpoint_id = s.endpoint_id
      AND ${unsettledSql('d')} AND ${condition}`,
    lock,
  })}`;

/** Joins deliveries `d` to rows of rowIdsSql, which are locked. */
export const atRowIdSql = (found: string) =>
  `d.ctid = ANY (ARRAY(SELECT place FROM ${found})) AND d.ctid = ${found}.place AND d.tableoid = ${found}.part`;

export const freeSql = dueUnsettledSql('d');
