import type { EventListQuery, Page, PageOfItems } from '@eas/contracts';
import { type Condition, type DbScope, equalFields, fetchPage, type ListSource, within } from '@eas/db';
import type { EventText } from '../deliveries/payload.ts';

const columns = `
  event_id AS "eventId", event_type AS "eventType", occurred_at AS "occurredAt", data::text AS "dataText"`;

const source: ListSource = {
  from: '(SELECT *, event_id AS id FROM events) AS e',
  columns: `id, ${columns}`,
  sortable: {
    event_id: { sql: 'id', type: 'text' },
    event_type: { sql: 'event_type', type: 'text' },
    timestamp: { sql: 'occurred_at', type: 'timestamptz' },
  },
};

/** Filters of the list of events; an absent one matches everything. */
export type EventFilter = Pick<EventListQuery, 'event_id' | 'event_type' | 'timestamp'>;

const ofTypes = (types: readonly string[]): Condition =>
  within({ sql: (placeholder) => `event_type = ANY (${placeholder})`, value: types });

/** A page of the events of the types and how many match in all. */
export async function pageEvents(
  scope: DbScope,
  types: readonly string[],
  filter: EventFilter,
  page: Page,
): Promise<PageOfItems<EventText & { id: string }>> {
  return fetchPage(scope, source, [ofTypes(types), ...equalFields(source, filter)], page);
}

const oneSql = `SELECT ${columns} FROM events WHERE tenant_id = $1 AND event_id = $2 AND event_type = ANY ($3)`;

export async function findEvent(
  { db, tenantId }: DbScope,
  id: string,
  types: readonly string[],
): Promise<EventText | undefined> {
  const [event] = await db.query<EventText>(oneSql, [tenantId, id, types]);
  return event;
}
