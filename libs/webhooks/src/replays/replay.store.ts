import { AppError } from '@eas/core';
import { type DbScope, lockName, type Tx } from '@eas/db';
import { headsInOrderSql } from '../deliveries/delivery-sql.ts';
import { dueAgainSql, hasEventSql, notSendingSql } from './due-again-sql.ts';
import type { Replay, Selection } from './replay.ts';

/** Running replays of a tenant. */
const maxRunning = 10;

/** Adds a running replay that a sweep begins at once. Throws conflict `limit` when too many run. */
export async function insertReplay(tx: Tx, replay: Replay): Promise<void> {
  const { db, tenantId } = tx;
  await lockName(tx, 'running replays');
  const running = await db.prisma.replay.findMany({
    where: { tenantId, status: 'running' },
    select: { endpointId: true },
    take: maxRunning,
  });
  if (running.some(({ endpointId }) => endpointId === replay.endpointId))
    throw tooMany('This webhook has a running replay. Cancel it, or wait for it to complete.');
  if (running.length >= maxRunning) throw tooMany(`A tenant can have at most ${maxRunning} running replays.`);
  const { id, endpointId, filter, maxPerSecond, total, createdBy, createdAt } = replay;
  const text = JSON.stringify(filter);
  await db.query(insertSql, [tenantId, id, endpointId, text, maxPerSecond, total, createdBy, createdAt]);
}

const insertSql = `
  INSERT INTO replays (tenant_id, id, endpoint_id, filter, max_per_second, total, created_by, created_at, updated_at,
    next_run_at)
  VALUES ($1, $2, $3, $4::json, $5, $6, $7, $8, $8, app_now())`;

const tooMany = (message: string) => new AppError('conflict', { field: '', constraint: 'limit', message });

/** Ends a running replay. False: it has ended already, or does not exist. */
export async function endReplay({ db, tenantId }: DbScope, id: string, at: Date): Promise<boolean> {
  const { count } = await db.prisma.replay.updateMany({
    where: { tenantId, id, status: 'running' },
    data: { status: 'cancelled', nextRunAt: null, updatedAt: at, finishedAt: at },
  });
  return count > 0;
}

/** Maximum number of deliveries that one step of a replay reads, so that it is short whatever it finds. */
const maxScanned = 5_000;

// Read in the order of the index; then the matching ones are found by their keys in their current state. Statuses are
// written so that no index of a status is taken for the whole backlog of an endpoint.
const moveSql = (isDeadOnly: boolean) => `
  WITH scanned AS MATERIALIZED (
    SELECT d.event_id, d.status FROM deliveries d
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id > $3 AND d.event_id < $4
      ${isDeadOnly ? "AND d.status = 'dead'" : ''}
    ORDER BY d.event_id LIMIT ${maxScanned}
  ), chosen AS MATERIALIZED (
    SELECT s.event_id FROM scanned s WHERE s.status <> ALL ($5::text[]) AND ${hasEventSql('s', '$6')}
    ORDER BY s.event_id LIMIT $7
  ), taken AS MATERIALIZED (
    SELECT d.event_id FROM deliveries d
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id = ANY (ARRAY(SELECT event_id FROM chosen))
      AND d.status <> ALL ($5::text[]) AND ${notSendingSql}
    ORDER BY d.event_id FOR NO KEY UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE deliveries d SET ${dueAgainSql}, replay_id = $8 FROM endpoints p
    WHERE p.tenant_id = $1 AND p.id = $2 AND d.tenant_id = $1 AND d.endpoint_id = $2
      AND d.event_id = ANY (ARRAY(SELECT event_id FROM taken)) AND d.status <> ALL ($5::text[])
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM moved)::int AS moved, (SELECT count(*) FROM scanned)::int AS scanned,
    (SELECT max(event_id) FROM scanned) AS "lastScanned", (SELECT count(*) FROM chosen)::int AS chosen,
    (SELECT max(event_id) FROM chosen) AS "lastChosen"`;

type Moved = {
  moved: number;
  scanned: number;
  lastScanned: string | null;
  chosen: number;
  lastChosen: string | null;
};

/** The position of a replay: the id of the last handled event. */
export type ReplayStep = { id: string; selection: Selection; afterId: string; limit: number };

/**
 * Makes the next deliveries of a replay due again, except those that a worker is sending, and stores its position in
 * the same transaction. Returns their number.
 */
export async function moveReplay({ db, tenantId }: Tx, step: ReplayStep): Promise<number> {
  const { id, selection, afterId, limit } = step;
  const { endpointId, beforeId, otherStatuses, types, isDeadOnly } = selection;
  const values = [tenantId, endpointId, afterId, beforeId, otherStatuses, types, limit, id];
  await db.query(headsInOrderSql);
  const [row] = await db.query<Moved>(moveSql(isDeadOnly), values);
  const { moved, scanned, lastScanned, chosen, lastChosen } = row as Moved;
  const isFull = chosen === limit;
  const isDone = !isFull && scanned < maxScanned;
  await db.query(progressSql, [tenantId, id, (isFull ? lastChosen : lastScanned) ?? afterId, moved, isDone]);
  return moved;
}

const progressSql = `
  UPDATE replays SET after_event_id = $3, replayed = replayed + $4, updated_at = app_now(),
    status = CASE WHEN $5 THEN 'completed' ELSE status END, finished_at = CASE WHEN $5 THEN app_now() END,
    next_run_at = CASE WHEN NOT $5 THEN app_now() + interval '1 second' END
  WHERE tenant_id = $1 AND id = $2`;
