import { type Consumer, consumers, numbering, type OutboxConsumer } from '@eas/contracts';
import { type Db, earliestOfFewSql, firstRowsSql, inFreshIndexOrderSql, isLockedRowSql, valuesOf } from '@eas/db';

export type PendingRow = {
  tenantId: string;
  eventId: string;
  consumer: Consumer;
  attempts: number;
  traceparent?: string | null;
};

export const rowSql = `tenant_id AS "tenantId", event_id AS "eventId", consumer, attempts, traceparent`;
export const lagSql = `extract(epoch FROM app_now() - available_at)::float8 AS "lagSeconds"`;

/** What is not in a queue yet. */
const unsentSql = 'sent_at IS NULL AND dead_at IS NULL';

/**
 * Jumps from one backlog to the next in the index, however long each is, within ranges: after ($1, $2) and before ($3,
 * $4).
 */
const nextSql = (place: string) =>
  firstRowsSql('next', {
    select: 'o.consumer, o.tenant_id, o.available_at',
    from: 'outbox o',
    where: `${unsentSql} AND (o.consumer, o.tenant_id) > (${place}.consumer, ${place}.tenant_id)
      AND (o.consumer, o.tenant_id) < (${place}.before_consumer, ${place}.before_tenant_id)`,
    orderBy: 'o.consumer, o.tenant_id, o.available_at',
  });
const backlogsSql = `
  WITH RECURSIVE backlogs AS (
    SELECT next.*, gap.before_consumer, gap.before_tenant_id
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS gap (consumer, tenant_id, before_consumer, before_tenant_id)
    ${nextSql('gap')}
    UNION ALL
    SELECT next.*, b.before_consumer, b.before_tenant_id FROM backlogs b ${nextSql('b')}
  )`;

/** The key of a backlog. */
export type BacklogKey = Readonly<Record<'consumer' | 'tenantId', string>>;
export const firstBacklogKey: BacklogKey = { consumer: '', tenantId: '' };
const lastBacklogKey: BacklogKey = { consumer: '~', tenantId: '' };

const columnsOf = (keys: readonly BacklogKey[]) => valuesOf(keys, ['consumer', 'tenantId']);
/** The parameters of `backlogsSql`: the ranges between each key and the next. */
const gapsBetween = (keys: readonly BacklogKey[]) => [...columnsOf(keys.slice(0, -1)), ...columnsOf(keys.slice(1))];
const everywhere = gapsBetween([firstBacklogKey, lastBacklogKey]);

const nextUnsentSql = `${backlogsSql} ${earliestOfFewSql('SELECT available_at FROM backlogs')}`;

/** When the first row that is not in a queue yet is due: one row is read of each backlog. */
export async function nextUnsentAt(db: Db): Promise<Date | null> {
  const [next] = await db.query<{ at: Date | null }>(nextUnsentSql, everywhere);
  return next?.at ?? null;
}

/** A tenant's events for a consumer that are not in a queue yet, or were not a moment ago. */
export type Backlog = {
  consumer: OutboxConsumer;
  tenantId: string;
  /**
   * Rows older than this (in the format of Postgres) are in a queue, unless they were written more than a second after
   * their time.
   */
  oldestAt: string;
  isEmpty: boolean;
};

const knownConsumers: readonly OutboxConsumer[] = [numbering, ...consumers];

const latestSql = `app_now() - interval '1 second'`;
const findBacklogsSql = `
  ${backlogsSql}
  SELECT consumer, tenant_id AS "tenantId", least(available_at, ${latestSql})::text AS "oldestAt", false AS "isEmpty"
  FROM backlogs WHERE consumer = ANY ($5) LIMIT $6`;
const rereadSql = `
  SELECT k.consumer, k.tenant_id AS "tenantId", least(oldest.at, ${latestSql})::text AS "oldestAt",
    oldest.at IS NULL AS "isEmpty"
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS k (consumer, tenant_id, at)
  ${firstRowsSql('oldest', {
    select: 'available_at AS at',
    from: 'outbox o',
    where: `o.consumer = k.consumer AND o.tenant_id = k.tenant_id AND ${unsentSql} AND o.available_at >= k.at`,
    orderBy: 'o.available_at',
    outer: true,
  })}`;

/**
 * The next backlogs in the order of consumers and tenants, at most `limit`; those of consumers that only another
 * release has are skipped. It reads the index entries of all rows sent since the last vacuum. Requires
 * `inFreshIndexOrderSql` in the transaction.
 */
export async function findBacklogs(db: Db, after: BacklogKey, limit: number): Promise<Backlog[]> {
  return db.query<Backlog>(findBacklogsSql, [...gapsBetween([after, lastBacklogKey]), knownConsumers, limit]);
}

/**
 * Rereads the known backlogs from their last position, and finds others between them. The known ones come first, in
 * order.
 */
export async function refreshBacklogs(db: Db, known: readonly Backlog[], limit: number): Promise<Backlog[]> {
  const keys = known.toSorted((a, b) => compare(a.consumer, b.consumer) || compare(a.tenantId, b.tenantId));
  const gaps = gapsBetween([firstBacklogKey, ...keys, lastBacklogKey]);
  const [again, found] = await Promise.all([
    db.query<Backlog>(rereadSql, rangesOf(keys)),
    db.query<Backlog>(findBacklogsSql, [...gaps, knownConsumers, limit]),
  ]);
  return [...again, ...found];
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
/** The keys of the backlogs, and the position to read each from. */
const rangesOf = (backlogs: readonly Backlog[]) => valuesOf(backlogs, ['consumer', 'tenantId', 'oldestAt']);

/**
 * Rows are changed by their ctid, without a join: a join would be planned by the size of the outbox, which changes all
 * the time. Rows that have events numbered are finished by that.
 */
const claimSql = `
  WITH due AS MATERIALIZED (
    SELECT head.row_id, head."isNumbering"
    FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[]) AS b (consumer, tenant_id, oldest_at, quota)
    ${firstRowsSql('head', {
      select: `ctid AS row_id, consumer = '${numbering}' AS "isNumbering"`,
      from: 'outbox',
      where: `consumer = b.consumer AND tenant_id = b.tenant_id AND ${unsentSql}
        AND available_at BETWEEN b.oldest_at AND app_now()`,
      orderBy: 'available_at, event_id',
      limit: 'b.quota',
      lock: 'FOR UPDATE SKIP LOCKED',
    })}
  ), done AS (
    DELETE FROM outbox WHERE ctid = ANY (ARRAY(SELECT row_id FROM due WHERE "isNumbering"))
    RETURNING ${rowSql}, ${lagSql}, event_ids AS "eventIds"
  ), sent AS (
    UPDATE outbox SET sent_at = app_now() WHERE ctid = ANY (ARRAY(SELECT row_id FROM due WHERE NOT "isNumbering"))
    RETURNING ${rowSql}, ${lagSql}, NULL::text[] AS "eventIds"
  )
  SELECT * FROM sent UNION ALL SELECT * FROM done`;

/** A due row of a consumer. `lagSeconds`: time since it was due. */
export type DueJob = PendingRow & { lagSeconds: number; eventIds: null };
type DueNumbering = Omit<DueJob, 'consumer' | 'eventIds'> & { consumer: typeof numbering; eventIds: string[] };
export type DueRow = DueJob | DueNumbering;

/**
 * Marks due rows of each backlog as sent, or deletes them if they only have events numbered, the oldest first and up to
 * its quota; rows that another relay holds are skipped. In the transaction that found the backlogs.
 */
export async function claimUnsent(db: Db, backlogs: readonly Backlog[], quotas: readonly number[]): Promise<DueRow[]> {
  return db.query<DueRow>(claimSql, [...rangesOf(backlogs), quotas]);
}

const unclaimSql = `
  UPDATE outbox o SET sent_at = NULL
  FROM unnest($1::text[], $2::text[], $3::text[]) AS s (tenant_id, event_id, consumer)
  WHERE o.tenant_id = s.tenant_id AND o.event_id = s.event_id AND o.consumer = s.consumer`;

export async function unclaim(db: Db, rows: readonly PendingRow[]): Promise<void> {
  await db.query(unclaimSql, valuesOf(rows, ['tenantId', 'eventId', 'consumer']));
}

const lateSql = `
  UPDATE outbox SET sent_at = app_now(), first_sent_at = coalesce(first_sent_at, sent_at) WHERE ${isLockedRowSql({
    table: 'outbox',
    where: `sent_at < app_now() - $2 * interval '1 millisecond' AND dead_at IS NULL AND consumer = ANY ($3)`,
    orderBy: 'sent_at',
    limit: '$1',
  })} RETURNING ${rowSql}`;

/** Rows sent more than `ageMs` ago that are still pending; locked ones are skipped. In a transaction of its own. */
export async function claimLate(
  db: Db,
  limit: number,
  ageMs: number,
  consumers: readonly Consumer[],
): Promise<PendingRow[]> {
  await db.query(inFreshIndexOrderSql);
  return db.query<PendingRow>(lateSql, [limit, ageMs, consumers]);
}

const unmarkSql = `
  UPDATE outbox SET sent_at = NULL WHERE ${isLockedRowSql({
    table: 'outbox',
    where: `sent_at < app_now() - $2 * interval '1 millisecond' AND dead_at IS NULL AND consumer = '${numbering}'`,
    orderBy: 'sent_at',
    limit: '$1',
  })} RETURNING 1`;

/** Rows that have events numbered are never sent: the relay of another release marks them and may end before it unmarks them. */
export async function unmarkToNumber(db: Db, limit: number, ageMs: number): Promise<number> {
  await db.query(inFreshIndexOrderSql);
  return (await db.query(unmarkSql, [limit, ageMs])).length;
}

/** Maximum number of backlogs to read. */
const watchedBacklogs = 1_000;

/** Longer than any row waits for its next try, and than the clocks of two machines differ. */
const farSql = `interval '6 minutes'`;

// Reads only the ends of the indexes: rows that are less far ahead are not read.
const waitingFarSql = `
  ${backlogsSql}
  UPDATE outbox SET available_at = app_now() WHERE ctid = ANY (ARRAY(
    SELECT far.row_id FROM (SELECT * FROM backlogs LIMIT ${watchedBacklogs}) AS b
    ${firstRowsSql('far', {
      select: 'o.ctid AS row_id',
      from: 'outbox o',
      where: `o.consumer = b.consumer AND o.tenant_id = b.tenant_id AND ${unsentSql}
        AND o.available_at > app_now() + ${farSql}`,
      orderBy: 'o.available_at',
      limit: '$5',
      lock: 'FOR UPDATE SKIP LOCKED',
    })} LIMIT $5
  )) RETURNING 1`;
const sentFarSql = `
  UPDATE outbox SET sent_at = app_now(), first_sent_at = NULL WHERE ${isLockedRowSql({
    table: 'outbox',
    where: `sent_at > app_now() + ${farSql} AND dead_at IS NULL`,
    orderBy: 'sent_at',
    limit: '$1',
  })} RETURNING 1`;

/**
 * Corrects rows that were written while a clock was ahead: a due or sent time impossibly far in the future becomes now.
 * Returns the number of rows. In a transaction of its own.
 */
export async function bringBack(db: Db, limit: number): Promise<number> {
  await db.query(inFreshIndexOrderSql);
  const waiting = await db.query(waitingFarSql, [...everywhere, limit]);
  return waiting.length + (await db.query(sentFarSql, [limit])).length;
}

/** The state of the outbox. Ages are 0 if there is no row. */
export type OutboxState = {
  /** Age of the oldest row that is due and not yet in a queue. */
  unsentSeconds: number;
  /** Age since the first send of the oldest row that is in a queue and not yet consumed. */
  sentSeconds: number;
  /** Rows that a consumer gave up on, counted up to 10,000. */
  dead: number;
};

const stateSql = `
  ${backlogsSql}, heads AS (SELECT available_at FROM backlogs LIMIT ${watchedBacklogs})
  SELECT
    coalesce(extract(epoch FROM app_now() - (
      SELECT min(available_at) FROM heads WHERE available_at <= app_now())), 0)::float8 AS "unsentSeconds",
    coalesce(extract(epoch FROM app_now() - least(
      (SELECT sent_at FROM outbox WHERE sent_at IS NOT NULL AND dead_at IS NULL ORDER BY sent_at LIMIT 1),
      (SELECT first_sent_at FROM outbox WHERE first_sent_at IS NOT NULL AND sent_at IS NOT NULL AND dead_at IS NULL
       ORDER BY first_sent_at LIMIT 1))), 0)::float8 AS "sentSeconds",
    (SELECT count(*)::int FROM (SELECT FROM outbox WHERE dead_at IS NOT NULL ORDER BY dead_at LIMIT 10000) AS given_up) AS dead`;

/** Reads only the ends of the indexes. In a transaction of its own. */
export async function readOutboxState(db: Db): Promise<OutboxState> {
  await db.query(inFreshIndexOrderSql);
  const [state] = await db.query<OutboxState>(stateSql, everywhere);
  return state ?? { unsentSeconds: 0, sentSeconds: 0, dead: 0 };
}
