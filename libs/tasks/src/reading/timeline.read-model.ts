import type { Page, PageOfItems, TimelineQuery } from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, timelineSource, within } from '@eas/db';
import type { TimelineEntry } from '../records/timeline/timeline-item.ts';

const source = timelineSource('task_timeline', {
  from: 'text',
  to: 'text',
  content: 'text',
  author: 'text',
  edited_at: 'text',
  deleted_at: 'text',
  field: 'text',
  assigned_agent: 'text',
  reason: 'text',
  percent_complete: 'int',
  estimate_remaining: 'text',
  status: 'text',
  input_id: 'text',
  kind: 'text',
  prompt: 'text',
  blocking: 'text',
  answer: 'text',
  decision: 'text',
  comment: 'text',
  expired: 'text',
  artifact_id: 'text',
  title: 'text',
  url: 'text',
  to_role: 'text',
  to_agent: 'text',
  summary: 'text',
  call: 'text',
  lease_id: 'text',
  repository: 'text',
  number: 'int',
  action: 'text',
  sha: 'text',
  check: 'text',
  conclusion: 'text',
});

export type TimelineFilter = Omit<TimelineQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export async function pageTimeline(
  scope: DbScope,
  taskId: string,
  filter: TimelineFilter,
  page: Page,
): Promise<PageOfItems<TimelineEntry & { id: string }>> {
  return fetchPage(scope, source, [within(equals('task_id', taskId)), ...equalFields(source, filter)], page);
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
