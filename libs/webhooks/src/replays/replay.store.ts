import type { JobStep } from '@eas/bulk-jobs';
import { inIndexOrderSql, type Tx } from '@eas/db';
import { dueAgainSql, hasEventSql, notSendingSql } from './due-again-sql.ts';
import type { Selection } from './replay.ts';

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

export type ReplayStep = { id: string; selection: Selection; afterId: string; limit: number };

/** Makes the next deliveries of a replay due again, except those that a worker is sending. */
export async function moveDeliveries({ db, tenantId }: Tx, step: ReplayStep): Promise<JobStep> {
  const { id, selection, afterId, limit } = step;
  const { endpointId, beforeId, otherStatuses, types, isDeadOnly } = selection;
  const values = [tenantId, endpointId, afterId, beforeId, otherStatuses, types, limit, id];
  await db.query(inIndexOrderSql);
  const [row] = await db.query<Moved>(moveSql(isDeadOnly), values);
  const { moved, scanned, lastScanned, chosen, lastChosen } = row as Moved;
  const isFull = chosen === limit;
  const position = (isFull ? lastChosen : lastScanned) ?? afterId;
  return { moved, position, isDone: !isFull && scanned < maxScanned };
}
