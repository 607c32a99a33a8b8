import { columnOf, type DbScope, selectList, type Tx, valuesOf } from '@eas/db';
import type { Claimed, DestinationTable, MessageTable, TargetKind, Verdict } from './target-kind.ts';

/** Another process has claimed the destination since: nothing of the attempt is kept. */
export class ClaimLost extends Error {}

/** The fields of a key, at least. */
export type Key = Readonly<Record<string, unknown>>;

type Kind = TargetKind<object, object, unknown>;

/** Slow requests in a row are counted up to this number. */
const maxSlow = 1_000;

export const fieldsOf = (fields: readonly string[]): string =>
  selectList(Object.fromEntries(fields.map((field) => [field, true])));

/** Nothing is sent for a suspended tenant: what is due waits. */
export const isActiveSql = (tenantId: string): string =>
  `NOT EXISTS (SELECT FROM tenants WHERE id = ${tenantId} AND suspended_at IS NOT NULL)`;

/** Destinations that are due, not claimed and not stopped. */
export function isDueSql({ dueAt, restUntil, claimedUntil = 'NULL', stoppedBy = 'NULL' }: DestinationTable): string {
  const freeAt = `greatest(${restUntil}, ${claimedUntil})`;
  const isFree = `coalesce(${freeAt} <= app_now(), true)`;
  return `${dueAt} <= app_now() AND ${isFree} AND ${stoppedBy} IS NULL AND ${isActiveSql('tenant_id')}`;
}

/** When a destination is due and not claimed, unless it is stopped. */
export const startsAtSql = ({ dueAt, restUntil, claimedUntil = 'NULL' }: DestinationTable): string =>
  `greatest(${dueAt}, ${restUntil}, ${claimedUntil})`;

/** The values of a statement about one row, and SQL that refers to them. */
function aboutRow(tenantId: string, key: readonly string[], row: object) {
  const values: unknown[] = [tenantId];
  const param = (value: unknown) => `$${values.push(value)}`;
  const isKey = key.map((field) => ` AND ${columnOf(field)} = ${param((row as Key)[field])}`);
  return {
    values,
    param,
    isRow: `tenant_id = $1${isKey.join('')}`,
    setFields: (fields: object = {}) => {
      const changed = Object.entries(fields).filter(([, value]) => value !== undefined);
      return changed.map(([field, value]) => `, ${columnOf(field)} = ${param(value)}`).join('');
    },
    inMs: (ms: number) => `app_now() + ${param(ms)} * interval '1 millisecond'`,
  };
}

/** Makes destinations due that get messages, in the same transaction before these: a claim finds them all, or comes later. */
export async function wakeDestinations(
  { db, tenantId }: DbScope,
  { table, key, dueAt, restUntil, stoppedBy, initial = {} }: DestinationTable,
  destinations: readonly Key[],
): Promise<void> {
  const columns = key.map(columnOf).join(', ');
  const lists = key.map((_, index) => `$${index + 2}::text[]`).join(', ');
  const others = Object.entries({ [dueAt]: 'app_now()', ...initial });
  const isOpen = stoppedBy === undefined ? 'true' : `${table}.${stoppedBy} IS NULL`;
  // Locked in one order.
  const sql = `
    INSERT INTO ${table} (tenant_id, ${columns}, ${others.map(([column]) => column).join(', ')})
    SELECT DISTINCT $1, c.*, ${others.map(([, value]) => value).join(', ')}
    FROM unnest(${lists}) AS c (${columns}) ORDER BY ${columns}
    ON CONFLICT (tenant_id, ${columns}) DO UPDATE SET ${dueAt} =
      CASE WHEN ${isOpen} THEN least(${table}.${dueAt}, greatest(${table}.${restUntil}, app_now())) END`;
  await db.query(sql, [tenantId, ...valuesOf(destinations, key)]);
}

/**
 * Claims a destination for its next message. Undefined: it is not due or another process was faster, or it waits until
 * its next message may be sent.
 */
export async function claimNext<D extends object, M extends object>(
  tx: Tx,
  kind: TargetKind<D, M, unknown>,
  key: Key,
): Promise<Claimed<D, M> | undefined> {
  const { destinations: at, messages, limits } = kind;
  const { values, isRow, inMs, setFields } = aboutRow(tx.tenantId, at.key, key);
  const dueSql = `SELECT app_now() AS now, ${fieldsOf([...at.key, ...(at.own ?? [])])} FROM ${at.table}
    WHERE ${isRow} AND ${isDueSql(at)} FOR NO KEY UPDATE SKIP LOCKED`;
  const [due] = await tx.db.query<{ now: Date }>(dueSql, values);
  if (!due) return undefined;
  const { now, ...own } = due;
  const destination = own as D;
  // What another transaction changes is left to a later claim.
  const nextSql = `SELECT ${fieldsOf([...messages.key, ...messages.own, 'attempts'])} FROM ${messages.table}
    WHERE ${isRow} AND state = '${messages.states.waiting}' AND ${messages.dueAt} <= app_now()
    ORDER BY ${messages.order} LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
  const [message] = await tx.db.query<M & { attempts: number }>(nextSql, values);
  const pace = message && (kind.pace?.({ destination, message }, now) ?? { set: {} });
  if (!pace || 'notBefore' in pace) return void (await schedule(tx, kind, key, pace?.notBefore));
  if (messages.countsClaims) {
    const counted = aboutRow(tx.tenantId, messages.key, message);
    await tx.db.query(`UPDATE ${messages.table} SET attempts = attempts + 1 WHERE ${counted.isRow}`, counted.values);
  }
  const end = inMs(limits.claimMs);
  const claimSql = `UPDATE ${at.table} SET ${at.fence} = ${at.fence} + 1, ${at.dueAt} = ${end},
    ${at.claimedUntil ?? at.restUntil} = ${end}${setFields(pace.set)} WHERE ${isRow} RETURNING ${at.fence} AS fence`;
  const [claim] = await tx.db.query<{ fence: number }>(claimSql, values);
  return { fence: claim?.fence ?? 0, destination, message, attempts: message.attempts + 1 };
}

/** Releases a destination, and settles its message or lets it wait. Throws ClaimLost. */
export async function settleClaimed(
  tx: Tx,
  kind: Kind,
  claimed: Claimed<object, object>,
  verdict: Verdict<object, object> & { isSlow: boolean },
): Promise<void> {
  await release(tx, kind.destinations, claimed, verdict);
  await settle(tx, kind.messages, claimed, verdict);
  // A statement of its own sees what was added while the destination was claimed.
  await schedule(tx, kind, claimed.destination);
}

async function release(
  { db, tenantId }: Tx,
  { table, key, fence, dueAt, restUntil, claimedUntil, slowCount }: DestinationTable,
  claimed: Claimed<object, object>,
  { pauseMs = 0, isSlow, destination }: Verdict<object, object> & { isSlow: boolean },
): Promise<void> {
  const { values, isRow, inMs, param, setFields } = aboutRow(tenantId, key, claimed.destination);
  const free = claimedUntil ? `, ${claimedUntil} = NULL` : '';
  const slow = slowCount ? `, ${slowCount} = ${isSlow ? `least(${slowCount} + 1, ${maxSlow})` : '0'}` : '';
  const sql = `UPDATE ${table} SET ${dueAt} = NULL, ${restUntil} = ${inMs(pauseMs)}${free}${slow}${setFields(destination)}
    WHERE ${isRow} AND ${fence} = ${param(claimed.fence)} RETURNING 1`;
  if ((await db.query(sql, values)).length === 0) throw new ClaimLost();
}

/** A message that was wanted again in the meantime has another number of attempts, and stays as it is. */
async function settle(
  { db, tenantId }: Tx,
  { table, key, states, dueAt, settledAt, countsClaims }: MessageTable,
  { message, attempts }: Claimed<object, object>,
  { state, error, afterMs = 0, isUncounted = false, message: changed }: Verdict<object, object>,
): Promise<void> {
  const { values, isRow, inMs, param, setFields } = aboutRow(tenantId, key, message);
  const name = { ...states, failed: 'failed' }[state];
  const [due, settled, kept] =
    state === 'waiting' ? [inMs(afterMs), 'NULL', 'last_error'] : ['NULL', 'app_now()', 'NULL'];
  const sql = `
    UPDATE ${table} SET state = '${name}', ${dueAt} = ${due}, ${settledAt} = ${settled},
      last_error = coalesce(${param(error)}, ${kept}), attempts = ${param(isUncounted ? attempts - 1 : attempts)}
      ${setFields(changed)}
    WHERE ${isRow} AND ${settledAt} IS NULL AND attempts = ${param(countsClaims ? attempts : attempts - 1)}`;
  await db.query(sql, values);
}

/** Has a destination found again when its next message is due, if there is one and nothing stops it. */
async function schedule(
  { db, tenantId }: Tx,
  { destinations: { table, key, dueAt, restUntil, stoppedBy = 'NULL' }, messages }: Kind,
  destination: object,
  notBefore: Date | null = null,
): Promise<void> {
  const { values, isRow, param } = aboutRow(tenantId, key, destination);
  const sql = `UPDATE ${table} AS d SET ${dueAt} = (
      SELECT greatest(m.${messages.dueAt}, d.${restUntil}, ${param(notBefore)}::timestamptz) FROM ${messages.table} AS m
      WHERE ${isRow} AND state = '${messages.states.waiting}' ORDER BY m.${messages.dueAt} LIMIT 1)
    WHERE ${isRow} AND ${stoppedBy} IS NULL`;
  await db.query(sql, values);
}
