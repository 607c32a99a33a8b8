import { type DbScope, rowByKeySql } from '@eas/db';
import type { EventText } from './payload.ts';

/** An event with the number that the relay gave it after its commit. */
export type NumberedEvent = EventText & { number: number };

const lastSql = 'SELECT last_number::float8 AS last FROM event_counters WHERE tenant_id = $1';

/** The number of the tenant's newest event; 0 when there is none. */
export async function lastEventNumber({ db, tenantId }: DbScope): Promise<number> {
  const [counter] = await db.query<{ last: number }>(lastSql, [tenantId]);
  return counter?.last ?? 0;
}

// One look-up by id for each number, in the one month that the id names.
const afterSql = `
  SELECT n.number::float8 AS number, e.event_id AS "eventId", e.event_type AS "eventType",
    e.occurred_at AS "occurredAt", e.data::text AS "dataText"
  FROM event_numbers n ${rowByKeySql('e', { from: 'events', where: 'tenant_id = $1 AND event_id = n.event_id' })}
  WHERE n.tenant_id = $1 AND n.number > $2 ORDER BY n.number LIMIT $3`;

/** Events after a number, in order. Numbers whose events are kept no more are skipped. */
export function eventsAfter({ db, tenantId }: DbScope, number: number, limit: number): Promise<NumberedEvent[]> {
  return db.query<NumberedEvent>(afterSql, [tenantId, number, limit]);
}
