import { maxReplayTotal } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { hasEventSql } from './due-again-sql.ts';
import type { Selection } from './replay.ts';

const countSql = (isDeadOnly: boolean) => `
  SELECT count(*)::int AS total FROM (
    SELECT FROM deliveries d
    WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id >= $3 AND d.event_id < $4
      ${isDeadOnly ? "AND d.status = 'dead'" : ''} AND d.status <> ALL ($5::text[]) AND ${hasEventSql('d', '$6')}
    LIMIT ${maxReplayTotal}
  ) AS matching`;

/** The number of deliveries that match, up to the most that is counted. */
export async function countSelected({ db, tenantId }: Tx, selection: Selection): Promise<number> {
  const { endpointId, fromId, beforeId, otherStatuses, types, isDeadOnly } = selection;
  const [row] = await db.query<{ total: number }>(
    countSql(isDeadOnly),
    [tenantId, endpointId, fromId, beforeId, otherStatuses, types],
    { isPrepared: false },
  );
  return row?.total ?? 0;
}
