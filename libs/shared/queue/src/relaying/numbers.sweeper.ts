import { type Db, valuesOf } from '@eas/db';

// Separate from the claim, so that its snapshot contains every number assigned to these events before they were locked.
const numberSql = `
  WITH fresh AS (
    SELECT s.tenant_id, s.event_id FROM unnest($1::text[], $2::text[]) AS s (tenant_id, event_id)
    WHERE NOT EXISTS (SELECT FROM event_numbers n WHERE n.tenant_id = s.tenant_id AND n.event_id = s.event_id)
  ), counted AS (
    INSERT INTO event_counters (tenant_id, last_number)
    SELECT tenant_id, count(*) FROM fresh GROUP BY tenant_id ORDER BY tenant_id
    ON CONFLICT (tenant_id) DO UPDATE SET last_number = event_counters.last_number + excluded.last_number
    RETURNING tenant_id, last_number
  ), numbered AS (
    INSERT INTO event_numbers (tenant_id, number, event_id)
    SELECT f.tenant_id,
      c.last_number - count(*) OVER (PARTITION BY f.tenant_id)
        + row_number() OVER (PARTITION BY f.tenant_id ORDER BY f.event_id),
      f.event_id
    FROM fresh f JOIN counted c ON c.tenant_id = f.tenant_id
    RETURNING tenant_id, number, event_id
  )
  SELECT tenant_id AS "tenantId", (min(number) - 1)::float8 AS "before", max(event_id) AS "eventId"
  FROM numbered GROUP BY tenant_id`;

/** Events of a tenant that have got numbers: the number before theirs, and the newest of them. */
export type NumberedEvents = { tenantId: string; before: number; eventId: string };

/**
 * Assigns the next numbers of their tenants to these events, in order of their ids; those that have a number keep it.
 * The counter row stays locked to the commit, so numbers become visible in order and without a gap.
 */
export async function numberEvents(
  db: Db,
  events: readonly Readonly<Record<'tenantId' | 'eventId', string>>[],
): Promise<NumberedEvents[]> {
  return db.query<NumberedEvents>(numberSql, valuesOf(events, ['tenantId', 'eventId']));
}
