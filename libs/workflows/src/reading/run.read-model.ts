import { maxRunHistory, type Page, type PageOfItems, type RunFilter, runStatuses } from '@eas/contracts';
import { type Condition, type DbScope, equalFields, equals, fetchPage, type ListSource } from '@eas/db';
import type { Run } from '../records/run.ts';
import type { FullStep, ShownRun } from './run-resource.ts';
import type { RunTimelineEntry } from './run-timeline-item.ts';

const runColumns = `
  id, name, workflow_id AS "workflowId", workflow_version AS "workflowVersion", status, started_at AS "startedAt",
  estimated_completion AS "estimatedCompletion", paused_at AS "pausedAt", finished_at AS "finishedAt"`;

const source: ListSource = {
  from: 'workflow_runs',
  columns: runColumns,
  sortable: {
    workflow_run_id: { sql: 'id', type: 'text' },
    name: { sql: 'name', type: 'text' },
    workflow_id: { sql: 'workflow_id', type: 'text' },
    workflow_version: { sql: 'workflow_version', type: 'int' },
    status: { sql: 'status', type: 'text', order: runStatuses },
    // The id has the same time.
    started_at: { sql: 'id', type: 'text' },
    estimated_completion: { sql: 'estimated_completion', type: 'timestamptz' },
    paused_at: { sql: 'paused_at', type: 'timestamptz', isNullable: true },
    finished_at: { sql: 'finished_at', type: 'timestamptz', isNullable: true },
  },
};

export async function pageRuns(
  scope: DbScope,
  { started_at: startedAt, finished_after: finishedAfter, ...filter }: RunFilter,
  page: Page,
): Promise<PageOfItems<ShownRun>> {
  const ended: Condition = { sql: (moment) => `finished_at > ${moment}`, value: finishedAfter };
  const conditions = [equals('started_at', startedAt), ended, ...equalFields(source, filter)];
  return fetchPage<ShownRun>(scope, source, conditions, page);
}

/** With times as Postgres writes them into JSON. */
type StepRow = Omit<FullStep, 'startedAt' | 'finishedAt'> & { startedAt: string | null; finishedAt: string | null };
type HistoryRow = Omit<RunTimelineEntry, 'at'> & { at: string };
export type RunWithSteps = ShownRun & Pick<Run, 'version' | 'parameters'> & { steps: StepRow[]; history: HistoryRow[] };

const oneSql = `
  SELECT ${runColumns}, version, parameters, (
    SELECT json_agg(json_build_object('id', id, 'key', key, 'name', name, 'role', role, 'status', status,
      'attempt', attempt, 'reason', reason, 'result', result, 'taskId', task_id, 'startedAt', started_at,
      'finishedAt', finished_at) ORDER BY position)
    FROM run_steps s WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id
  ) AS steps, (
    SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'at', at, 'actor', actor, 'data', data) ORDER BY seq)
    FROM (
      SELECT seq, kind, at, actor, data FROM run_timeline e WHERE e.tenant_id = r.tenant_id AND e.run_id = r.id
      ORDER BY seq DESC LIMIT ${maxRunHistory}
    ) AS newest
  ) AS history
  FROM workflow_runs r WHERE tenant_id = $1 AND id = $2`;

/** One run with its steps in their order and its newest history, oldest entry first, from one snapshot. */
export async function findRun({ db, tenantId }: DbScope, id: string): Promise<RunWithSteps | undefined> {
  const [run] = await db.query<RunWithSteps>(oneSql, [tenantId, id]);
  return run;
}
