import type { EventListQuery, Page, PageOfItems } from '@eas/contracts';
import { idTimeMs } from '@eas/core';
import {
  type Condition,
  type DbScope,
  equalFields,
  equals,
  fetchPage,
  type ListSource,
  within,
  writeCursor,
} from '@eas/db';
import { numberOfDropped } from './dropped-event.read-model.ts';
import type { EventText } from './payload.ts';

const columns = `
  event_id AS "eventId", event_type AS "eventType", occurred_at AS "occurredAt", data::text AS "dataText"`;

/**
 * True for all rows. The indexes of lists have this condition, so that a look-up of an event by its id is never planned
 * with them.
 */
export const isListedSql = `event_type > ''`;

/**
 * An event is listed as soon as the relay has numbered it. Numbers are given after the commit and become visible in
 * their order, so that no event appears late to a reader; ids are assigned before the commit.
 */
const source: ListSource = {
  from: `(SELECT e.*, e.event_id AS id, n.number FROM event_numbers n
    JOIN events e ON e.tenant_id = n.tenant_id AND e.event_id = n.event_id) AS e`,
  columns: `id, ${columns}`,
  countFrom: 'events',
  visible: isListedSql,
  sortable: {
    event_id: { sql: 'number', type: 'int', isUnique: true },
    event_type: { sql: 'event_type', type: 'text' },
    timestamp: { sql: 'occurred_at', type: 'timestamptz' },
  },
};

export type EventFilter = Pick<EventListQuery, 'event_id' | 'event_type' | 'timestamp'>;

const ofTypes = (types: readonly string[]): Condition =>
  within({ sql: (placeholder) => `event_type = ANY (${placeholder})`, value: types });

export async function pageEvents(
  scope: DbScope,
  types: readonly string[],
  { event_id: id, ...filter }: EventFilter,
  page: Page,
): Promise<PageOfItems<EventText & { id: string }>> {
  const conditions = [ofTypes(types), equals('event_id', id), ...equalFields(source, filter)];
  return fetchPage(scope, source, conditions, await behindDropped(scope, page));
}

/** Readers that stopped at an event that is no longer stored continue with the stored ones. */
async function behindDropped(scope: DbScope, page: Page): Promise<Page> {
  const { after, sort } = page;
  if (!after || sort.field === 'event_type') return page;
  const number = await numberOfDropped(scope, after);
  if (number === undefined) return page;
  const value = sort.field === 'timestamp' ? new Date(idTimeMs(after)) : number;
  return { ...page, after: writeCursor(page, { id: after, value }) };
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
