import type { Page, PageOfItems, TimelineQuery } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, within } from '@eas/db';
import { entryIdSql, type TimelineEntry } from './timeline-item.ts';

/** A field that only some kinds of entries have. */
const ofKinds = (field: string) => ({ sql: `(data ->> '${field}')`, type: 'text', isNullable: true }) as const;

const source: ListSource = {
  from: `(SELECT *, ${entryIdSql} AS id FROM task_timeline) AS entries`,
  columns: 'id, seq, kind, at, actor, data',
  sortable: {
    id: { sql: 'id', type: 'text' },
    seq: { sql: 'seq', type: 'int' },
    type: { sql: 'kind', type: 'text' },
    actor: { sql: 'actor', type: 'text' },
    timestamp: { sql: 'at', type: 'timestamptz' },
    from: ofKinds('from'),
    to: ofKinds('to'),
    content: ofKinds('content'),
    author: ofKinds('author'),
    assigned_agent: ofKinds('assigned_agent'),
    reason: ofKinds('reason'),
    percent_complete: { sql: "(data ->> 'percent_complete')::int", type: 'int', isNullable: true },
    estimate_remaining: ofKinds('estimate_remaining'),
    status: ofKinds('status'),
  },
};

/** Filters of a timeline; an absent one matches everything. */
export type TimelineFilter = Omit<TimelineQuery, 'limit' | 'offset' | 'after' | 'sort'>;

/** A page of a task's entries and how many match in all. */
export async function pageTimeline(
  scope: DbScope,
  taskId: string,
  filter: TimelineFilter,
  page: Page,
): Promise<PageOfItems<TimelineEntry & { id: string }>> {
  const fields = Object.entries(filter).map(([field, value]) => equals(source.sortable[field]?.sql ?? field, value));
  return fetchPage(scope, source, [within(equals('task_id', taskId)), ...fields], page);
}
