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
    input_id: ofKinds('input_id'),
    kind: ofKinds('kind'),
    prompt: ofKinds('prompt'),
    blocking: ofKinds('blocking'),
    answer: ofKinds('answer'),
    decision: ofKinds('decision'),
    comment: ofKinds('comment'),
    expired: ofKinds('expired'),
    artifact_id: ofKinds('artifact_id'),
    title: ofKinds('title'),
    url: ofKinds('url'),
    to_role: ofKinds('to_role'),
    to_agent: ofKinds('to_agent'),
    summary: ofKinds('summary'),
    call: ofKinds('call'),
    lease_id: ofKinds('lease_id'),
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

/** The number of a task's newest entry; undefined when the tenant has no such task. */
export async function lastTimelineSeq({ db, tenantId }: DbScope, taskId: string): Promise<number | undefined> {
  const [task] = await db.query<{ last: number }>(lastSql, [tenantId, taskId]);
  return task?.last;
}

const lastSql = 'SELECT timeline_seq AS last FROM tasks WHERE tenant_id = $1 AND id = $2';

const afterSql = `
  SELECT seq, kind, at, actor, data FROM task_timeline
  WHERE tenant_id = $1 AND task_id = $2 AND seq > $3 ORDER BY seq LIMIT $4`;

/** Entries of a task after a number, in order: numbers are given under the lock of the task, to the commit. */
export function timelineAfter(
  { db, tenantId }: DbScope,
  taskId: string,
  seq: number,
  limit: number,
): Promise<TimelineEntry[]> {
  return db.query<TimelineEntry>(afterSql, [tenantId, taskId, seq, limit]);
}
