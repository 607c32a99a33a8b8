import type { Send } from '@eas/contracts';
import { firstRowsSql, inIndexOrderSql, type Tx } from '@eas/db';
import { probeGapMs } from '../endpoints/health.ts';
import { atRowIdSql, inHandCountSql, rowIdsSql } from './delivery-sql.ts';
import { sendJobs } from './send-jobs.ts';
import { deadLetterBatch, drainedAtOnce, maxHeldAtOnce, maxInHand, queuedMs } from './sending-limits.ts';

type Key = { tenantId: string; endpointId: string; eventId: string };

/** Maximum number of paused endpoints that one sweep probes. */
const maxProbes = 50;

const lockDueSql = `
  SELECT tenant_id AS "tenantId", id, probes, ordering FROM endpoints
  WHERE probe_at <= app_now() AND status = 'paused' AND deleted_at IS NULL
  ORDER BY probe_at LIMIT ${maxProbes} FOR NO KEY UPDATE SKIP LOCKED`;

const probeSql = `
  WITH due AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::bool[])
      AS d (tenant_id, endpoint_id, gap_ms, is_newest)
  ), scheduled AS (
    UPDATE endpoints e SET probes = e.probes + 1, probe_at = app_now() + due.gap_ms * interval '1 millisecond'
    FROM due WHERE e.tenant_id = due.tenant_id AND e.id = due.endpoint_id
  ), chosen AS MATERIALIZED (
    SELECT d.tenant_id, d.endpoint_id, h.event_id FROM due d, LATERAL (
      (SELECT h.event_id FROM deliveries h
       WHERE NOT d.is_newest AND h.tenant_id = d.tenant_id AND h.endpoint_id = d.endpoint_id AND h.status = 'held'
       ORDER BY h.tenant_id, h.endpoint_id, h.event_id LIMIT 1)
      UNION ALL
      (SELECT h.event_id FROM deliveries h
       WHERE d.is_newest AND h.tenant_id = d.tenant_id AND h.endpoint_id = d.endpoint_id AND h.status = 'held'
       ORDER BY h.tenant_id DESC, h.endpoint_id DESC, h.event_id DESC LIMIT 1)
    ) AS h
  ), found AS MATERIALIZED (${rowIdsSql('chosen', `d.status = 'held'`, 'FOR NO KEY UPDATE SKIP LOCKED')}
  )
  UPDATE deliveries d SET status = 'pending', next_attempt_at = app_now(), reason = 'probe',
    queued_until = app_now() + interval '${queuedMs} milliseconds'
  FROM found WHERE ${atRowIdSql('found')}
  RETURNING d.tenant_id AS "tenantId", d.endpoint_id AS "endpointId", d.event_id AS "eventId"`;

/**
 * Makes a held delivery due for each paused endpoint with a due probe, and schedules the next probe. It alternates
 * between the oldest and the newest, so that one delivery that the receiver refuses does not keep it paused. Returns
 * the jobs, which must be sent after the commit.
 */
export async function sweepProbes({ db }: Pick<Tx, 'db'>): Promise<Send[]> {
  const due = await db.query<{ tenantId: string; id: string; probes: number; ordering: string }>(lockDueSql);
  if (due.length === 0) return [];
  await db.query(inIndexOrderSql);
  const gaps = due.map(({ probes }) => probeGapMs(probes + 1));
  const probed = await db.query<Key>(probeSql, [
    due.map(({ tenantId }) => tenantId),
    due.map(({ id }) => id),
    gaps,
    due.map(({ probes, ordering }) => probes % 2 === 1 && ordering === 'none'),
  ]);
  return sendJobs(probed.map((key) => ({ ...key, isAgain: true })));
}

/** Longer than any transaction: one that read the endpoint as paused has held its deliveries by then. */
const settledAfterSeconds = 120;
const refreshedAfterSeconds = settledAfterSeconds / 2;
/** Maximum number of endpoints that one sweep settles. */
const maxSettled = 1_000;

const settleSql = `
  UPDATE endpoints e SET drains_since = CASE WHEN seen.is_holding THEN app_now() END
  FROM (
    SELECT tenant_id, id, coalesce((
      SELECT true FROM deliveries d WHERE d.tenant_id = o.tenant_id AND d.endpoint_id = o.id AND d.status = 'held'
      ORDER BY d.tenant_id, d.endpoint_id, d.event_id LIMIT 1
    ), false) AS is_holding
    FROM endpoints o WHERE drains_since < app_now() - interval '${refreshedAfterSeconds} seconds'
    ORDER BY drains_since LIMIT ${maxSettled} FOR NO KEY UPDATE SKIP LOCKED
  ) AS seen
  WHERE e.tenant_id = seen.tenant_id AND e.id = seen.id
    AND (seen.is_holding OR e.drains_since < app_now() - interval '${settledAfterSeconds} seconds')`;

/**
 * Removes endpoints without held deliveries, so that those of others are not read. Called before `drainHeld`: a removed
 * endpoint had none in the last minute.
 */
export async function settleDrained({ db }: Pick<Tx, 'db'>): Promise<void> {
  await db.query(inIndexOrderSql);
  await db.query(settleSql);
}

/** The oldest held ones of each endpoint that drains and for which the condition holds; of all of them tenants take turns. */
const oldestHeldSql = (condition: string, limit: number) => `
  SELECT tenant_id, endpoint_id, event_id FROM (
    SELECT f.*, row_number() OVER (PARTITION BY f.tenant_id ORDER BY f.event_id) AS turn
    FROM endpoints e
    ${firstRowsSql('f', {
      select: 'd.tenant_id, d.endpoint_id, d.event_id',
      from: 'deliveries d',
      where: `d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.status = 'held'`,
      orderBy: 'd.event_id',
      limit,
    })}
    WHERE e.drains_since IS NOT NULL AND (${condition})
  ) AS found ORDER BY turn LIMIT ${maxHeldAtOnce}`;

const drainSql = `
  WITH oldest AS MATERIALIZED (${oldestHeldSql(
    `e.status IN ('active', 'failing') AND e.deleted_at IS NULL AND ${inHandCountSql('e.tenant_id', 'e.id')} < ${maxInHand}`,
    drainedAtOnce,
  )}
  ), found AS MATERIALIZED (${rowIdsSql('oldest', `d.status = 'held'`, 'FOR NO KEY UPDATE SKIP LOCKED')}
  )
  UPDATE deliveries d SET status = 'pending', next_attempt_at = app_now(), reason = 'recovered', tries_from = d.attempts,
    queued_until = app_now() + interval '${queuedMs} milliseconds'
  FROM found WHERE ${atRowIdSql('found')}
  RETURNING d.tenant_id AS "tenantId", d.endpoint_id AS "endpointId", d.event_id AS "eventId"`;

/**
 * Makes held deliveries of endpoints that are not paused due again, the oldest first, a few with each sweep. Returns
 * the jobs, which must be sent after the commit.
 */
export async function drainHeld({ db }: Pick<Tx, 'db'>): Promise<Send[]> {
  await db.query(inIndexOrderSql);
  const drained = await db.query<Key>(drainSql);
  const inOrder = drained.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  return sendJobs(inOrder.map((key) => ({ ...key, isAgain: true })));
}

const deadLetterSql = `
  WITH oldest AS MATERIALIZED (${oldestHeldSql(`e.status = 'disabled' OR e.deleted_at IS NOT NULL`, deadLetterBatch)}
  ), found AS MATERIALIZED (${rowIdsSql('oldest', `d.status = 'held'`, 'FOR NO KEY UPDATE SKIP LOCKED')}
  )
  UPDATE deliveries d SET status = 'dead', settled_at = app_now(), reason = 'webhook_disabled'
  FROM found WHERE ${atRowIdSql('found')}`;

/** Ends held deliveries of disabled or deleted endpoints as dead. */
export async function deadLetterHeld({ db }: Pick<Tx, 'db'>): Promise<void> {
  await db.query(inIndexOrderSql);
  await db.query(deadLetterSql);
}
