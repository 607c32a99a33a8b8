import type { DbScope, EventSizes } from '@eas/db';

/** Up to this number of events, runs are read together, whatever their size. */
const fewEvents = 16;

const sizesSql = `
  SELECT e.event_id AS "eventId", octet_length(r.parameters::text) + coalesce((
    SELECT sum(octet_length(s.result::text)) FROM run_steps s WHERE s.tenant_id = $1 AND s.run_id = r.id
  ), 0)::int AS bytes
  FROM events e JOIN workflow_runs r ON r.tenant_id = $1 AND r.id = e.facts ->> 'run_id'
  WHERE e.tenant_id = $1 AND e.event_id = ANY ($2)`;

/** How much advancing the runs reads that the events are of, in bytes: their parameters and the results of steps. */
export async function readRunSizes({ db, tenantId }: DbScope, eventIds: readonly string[]): Promise<EventSizes> {
  if (eventIds.length <= fewEvents) return new Map();
  const rows = await db.query<{ eventId: string; bytes: number }>(sizesSql, [tenantId, eventIds]);
  return new Map(rows.map(({ eventId, bytes }) => [eventId, bytes]));
}
