import type { Page, PageOfItems, RunTimelineQuery } from '@eas/contracts';
import { type DbScope, equalFields, equals, fetchPage, timelineSource, within } from '@eas/db';
import type { RunTimelineEntry } from './run-timeline-item.ts';

const source = timelineSource('run_timeline', {
  step_id: 'text',
  key: 'text',
  task_id: 'text',
  attempt: 'int',
  assignee: 'text',
  comment: 'text',
  completed_by: 'text',
  reason: 'text',
  retry_at: 'timestamptz',
});

export type RunTimelineFilter = Omit<RunTimelineQuery, 'limit' | 'offset' | 'after' | 'sort'>;

export async function pageRunTimeline(
  scope: DbScope,
  runId: string,
  filter: RunTimelineFilter,
  page: Page,
): Promise<PageOfItems<RunTimelineEntry & { id: string }>> {
  return fetchPage(scope, source, [within(equals('run_id', runId)), ...equalFields(source, filter)], page);
}

const lastSql = 'SELECT timeline_seq AS last FROM workflow_runs WHERE tenant_id = $1 AND id = $2';

/** The number of a run's newest entry; undefined when the tenant has no such run. */
export async function lastRunTimelineSeq({ db, tenantId }: DbScope, runId: string): Promise<number | undefined> {
  const [run] = await db.query<{ last: number }>(lastSql, [tenantId, runId]);
  return run?.last;
}

const afterSql = `
  SELECT seq, kind, at, actor, data FROM run_timeline
  WHERE tenant_id = $1 AND run_id = $2 AND seq > $3 ORDER BY seq LIMIT $4`;

/** Entries of a run after a number, in order: numbers are given under the lock of the run, to the commit. */
export function runTimelineAfter(
  { db, tenantId }: DbScope,
  runId: string,
  seq: number,
  limit: number,
): Promise<RunTimelineEntry[]> {
  return db.query<RunTimelineEntry>(afterSql, [tenantId, runId, seq, limit]);
}
