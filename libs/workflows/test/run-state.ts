import type { UseCaseContext } from '@eas/db';
import { isFinal, type TaskState } from '@eas/tasks';
import type { RunModel } from './run-model.ts';

const stateSql = `
  SELECT r.status, r.paused_at IS NOT NULL AS "isPaused", (
    SELECT json_agg(json_build_object('key', key, 'status', s.status, 'attempt', attempt) ORDER BY position)
    FROM run_steps s WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id
  ) AS steps
  FROM workflow_runs r WHERE r.tenant_id = $1 AND r.id = $2`;

/** The state of a run and its steps. */
export async function stateOf({ db, tenantId }: UseCaseContext, runId: string): Promise<object | undefined> {
  return (await db.query(stateSql, [tenantId, runId]))[0];
}

type Rows = {
  timelineSeq: number;
  entries: { seq: number; kind: string; key: string | null }[];
  tasks: { title: string; status: TaskState['status'] }[];
  events: { type: string; step: string | null }[];
  due: number;
};

const rowsSql = `
  SELECT timeline_seq AS "timelineSeq", (
    SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'key', data ->> 'key') ORDER BY seq)
    FROM run_timeline e WHERE e.tenant_id = r.tenant_id AND e.run_id = r.id
  ) AS entries, (
    SELECT json_agg(json_build_object('title', title, 'status', t.status))
    FROM tasks t WHERE t.tenant_id = r.tenant_id AND t.workflow_run_id = r.id
  ) AS tasks, (
    SELECT json_agg(json_build_object('type', event_type, 'step', data ->> 'step_name'))
    FROM events e WHERE e.tenant_id = r.tenant_id AND e.data ->> 'workflow_run_id' = r.id
  ) AS events, (
    SELECT count(*) FROM run_steps s WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id AND due_at IS NOT NULL
  ) AS due
  FROM workflow_runs r WHERE r.tenant_id = $1 AND r.id = $2`;

/** Inconsistencies in the records of a run that has ended. */
export async function breachesOf(
  { db, tenantId }: UseCaseContext,
  runId: string,
  { steps, endings }: RunModel,
): Promise<string[]> {
  const [rows] = await db.query<Rows>(rowsSql, [tenantId, runId]);
  if (!rows) return ['the run is gone'];
  const { timelineSeq, entries, tasks, events, due } = rows;
  const breaches: string[] = [];
  const demand = (what: string, is: unknown, ought: unknown) => {
    if (is !== ought) breaches.push(`${what}: ${String(is)}, not ${String(ought)}`);
  };
  demand('numbers of the timeline', entries.map(({ seq }) => seq).join(), countTo(timelineSeq).join());
  demand('steps that are still to be swept', due, 0);
  demand('tasks that go on', tasks.filter(({ status }) => !isFinal(status)).length, 0);
  const ended = events.filter(({ type }) => /^workflow\.(completed|failed|cancelled)$/.test(type));
  demand('events of its end', ended.length, endings);
  for (const { definition, tasks: ought, status } of steps) {
    const ofStep = (kind: string) => entries.filter((one) => one.kind === kind && one.key === definition.id).length;
    const isCompleted = Number(status === 'completed');
    demand(`tasks of ${definition.id}`, tasks.filter(({ title }) => title === definition.id).length, ought.length);
    demand(`starts of ${definition.id}`, ofStep('step_started'), ought.length);
    demand(`completions of ${definition.id}`, ofStep('step_completed'), isCompleted);
    const published = events.filter(({ type, step }) => type === 'workflow.step_completed' && step === definition.id);
    demand(`events of ${definition.id}`, published.length, isCompleted);
    demand(`rejections of ${definition.id}`, ofStep('step_rejected'), rejectionsOf(ought));
  }
  return breaches;
}

const countTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const rejectionsOf = (tasks: RunModel['steps'][number]['tasks']) =>
  tasks.reduce((sum, { rejections }) => sum + rejections, 0);
