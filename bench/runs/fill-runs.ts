import { defaultTenantId } from '@eas/contracts';
import type { Db } from '@eas/db';
import { stepKeys } from './bench-workflow.ts';

/** Open runs fall due in 30 to 90 days and need a role that no bench agent has. Ids distinguish them from measured runs. */
const runsSql = `
  WITH drawn AS (
    SELECT n, ulid_prefix(at) || lpad(n::text, 15, '0') || $3::text AS ulid, at
    FROM generate_series($4::int, $5::int) AS n,
      date_trunc('milliseconds', app_now() - n * interval '10 seconds') AS at
  ), runs AS (
    INSERT INTO workflow_runs (tenant_id, id, workflow_id, workflow_version, name, parameters, status, started_at,
      started_by, estimated_completion, finished_at, version, timeline_seq)
    SELECT $1, 'run_' || ulid, $2, 1, 'Run ' || n, '{}', CASE WHEN $3 = 'o' THEN 'started' ELSE 'completed' END, at,
      'bench', at + interval '4 hours', CASE WHEN $3 = 'c' THEN at + interval '1 hour' END, 2, 2
    FROM drawn
  ), entries AS (
    INSERT INTO run_timeline (tenant_id, run_id, seq, kind, at, actor, data)
    SELECT $1, 'run_' || ulid, seq, CASE seq WHEN 1 THEN 'started' ELSE 'step_started' END, at, 'bench', '{}'
    FROM drawn, generate_series(1, 2) AS seq
  )
  INSERT INTO run_steps (tenant_id, run_id, key, id, position, name, role, status, attempt, task_id, result, started_at,
    finished_at, due_at)
  SELECT $1, 'run_' || ulid, key, 'stp_' || ulid || position, position - 1, 'Step ' || key, 'elsewhere', CASE
      WHEN $3 = 'c' THEN 'completed' WHEN position = 1 THEN 'in_progress' ELSE 'pending' END,
    CASE WHEN $3 = 'c' OR position = 1 THEN 1 ELSE 0 END,
    CASE WHEN $3 = 'c' OR position = 1 THEN 'tsk_' || ulid || position END,
    CASE WHEN $3 = 'c' THEN '{"ok": true}'::jsonb END, CASE WHEN $3 = 'c' OR position = 1 THEN at END,
    CASE WHEN $3 = 'c' THEN at + interval '1 hour' END,
    CASE WHEN $3 = 'o' AND position = 1 THEN app_now() + (30 + n % 60) * interval '1 day' END
  FROM drawn, unnest($6::text[]) WITH ORDINALITY AS s (key, position)`;

const tasksSql = `
  INSERT INTO tasks (tenant_id, id, title, description, status, priority, assigned_role, tags, metadata, created_at,
    updated_at, rank, timeline_seq, workflow_run_id)
  SELECT tenant_id, task_id, name, 'Waits.', 'created', 'medium', role, '{}', '{}', started_at, started_at, started_at, 1,
    run_id
  FROM run_steps WHERE tenant_id = $1 AND status = 'in_progress'`;

/** In parts that stay below the time that a statement may take. */
const part = 20_000;

export async function fillRuns(
  db: Db,
  { workflowId, open, closed }: { workflowId: string; open: number; closed: number },
): Promise<void> {
  for (const [kind, count] of [['o', open] as const, ['c', closed] as const])
    for (let first = 1; first <= count; first += part) {
      const last = Math.min(first + part - 1, count);
      await db.query(runsSql, [defaultTenantId, workflowId, kind, first, last, stepKeys]);
    }
  await db.query(tasksSql, [defaultTenantId]);
  await db.query('VACUUM ANALYZE');
}
