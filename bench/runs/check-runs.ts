import { defaultTenantId } from '@eas/contracts';
import type { Db } from '@eas/db';
import { stepKeys } from './bench-workflow.ts';

/** Runs of a workflow, and the number of those that have all data of a completed run exactly once. */
const sql = `
  WITH runs AS (SELECT id, status FROM workflow_runs WHERE tenant_id = $1 AND workflow_id = $2),
  steps AS (
    SELECT run_id, count(*) FILTER (WHERE status = 'completed' AND attempt = 1 AND due_at IS NULL) AS done,
      count(*) AS total
    FROM run_steps WHERE tenant_id = $1 GROUP BY run_id
  ), tasks_of_run AS (
    SELECT workflow_run_id AS run_id, count(*) AS total, count(*) FILTER (WHERE status = 'completed') AS done
    FROM tasks WHERE tenant_id = $1 GROUP BY workflow_run_id
  ), entries AS (
    SELECT run_id, count(*) FILTER (WHERE kind = 'started') AS started,
      count(*) FILTER (WHERE kind = 'step_started') AS steps_started,
      count(*) FILTER (WHERE kind = 'step_completed') AS steps_completed,
      count(*) FILTER (WHERE kind = 'completed') AS completed
    FROM run_timeline WHERE tenant_id = $1 GROUP BY run_id
  )
  SELECT count(*)::int AS runs, count(*) FILTER (
    WHERE runs.status = 'completed' AND steps.done = $3 AND steps.total = $3
      AND tasks_of_run.done = $3 AND tasks_of_run.total = $3
      AND (entries.started, entries.steps_started, entries.steps_completed, entries.completed) = (1, $3, $3, 1)
  )::int AS whole
  FROM runs LEFT JOIN steps ON steps.run_id = runs.id LEFT JOIN tasks_of_run ON tasks_of_run.run_id = runs.id
    LEFT JOIN entries ON entries.run_id = runs.id`;

const eventsSql = `
  SELECT event_type AS type, count(*)::int AS count FROM events
  WHERE tenant_id = $1 AND event_type IN ('workflow.started', 'workflow.step_completed', 'workflow.completed',
    'task.created', 'task.assigned', 'task.started', 'task.completed')
  GROUP BY event_type`;

/** Throws unless every run is completed, each of its steps done once, and all of it published. Gives the number of runs. */
export async function checkRuns(db: Db, workflowId: string): Promise<number> {
  const perRun = stepKeys.length;
  const [found] = await db.query<{ runs: number; whole: number }>(sql, [defaultTenantId, workflowId, perRun]);
  if (!found || found.runs === 0) throw new Error('there are no runs');
  const { runs, whole } = found;
  if (whole !== runs) throw new Error(`${runs - whole} of ${runs} runs are not completed with each step done once`);
  const events = new Map(
    (await db.query<{ type: string; count: number }>(eventsSql, [defaultTenantId])).map((row) => [row.type, row.count]),
  );
  const expected = {
    'workflow.started': 1,
    'workflow.step_completed': perRun,
    'workflow.completed': 1,
    'task.created': perRun,
    'task.assigned': perRun,
    'task.started': perRun,
    'task.completed': perRun,
  };
  for (const [type, count] of Object.entries(expected))
    if (events.get(type) !== count * runs)
      throw new Error(`${events.get(type) ?? 0} events ${type} of ${runs} runs, expected ${count * runs}`);
  return runs;
}
