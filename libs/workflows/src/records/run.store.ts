import { sendWrite, type Tx } from '@eas/db';
import type { Run } from './run.ts';
import type { RunEntry } from './run-entry.ts';
import type { Step } from './step.ts';

const runColumns = `
  id, workflow_id AS "workflowId", workflow_version AS "workflowVersion", name, parameters, status,
  started_at AS "startedAt", started_by AS "startedBy", estimated_completion AS "estimatedCompletion",
  paused_at AS "pausedAt", finished_at AS "finishedAt", version, timeline_seq AS "timelineSeq"`;

const lockSql = `
  SELECT ${runColumns}, app_now() AS at FROM workflow_runs r WHERE tenant_id = $1 AND id = ANY ($2)
  ORDER BY id FOR NO KEY UPDATE`;

/** A run with more to read, in stored bytes, would hold up others in a transaction that is not for runs alone. */
const fewBytes = 65_536;
const lockFreeSql = `
  SELECT ${runColumns}, app_now() AS at FROM workflow_runs r WHERE tenant_id = $1 AND id = ANY ($2)
    AND pg_column_size(r.parameters) + (
      SELECT coalesce(sum(pg_column_size(s.result)), 0) FROM run_steps s WHERE s.tenant_id = $1 AND s.run_id = r.id
    ) < ${fewBytes}
  ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Locks runs until the transaction ends, in the order of their ids. `at`: now, by the database's clock. Without
 * `mayWait` none that others have locked, and none that is large.
 */
export async function lockRuns(
  { db, tenantId }: Tx,
  ids: readonly string[],
  { mayWait }: { mayWait: boolean },
): Promise<{ run: Run; at: Date }[]> {
  const rows = await db.query<Run & { at: Date }>(mayWait ? lockSql : lockFreeSql, [tenantId, ids]);
  return rows.map(({ at, ...run }) => ({ run, at }));
}

const stepsSql = `
  SELECT run_id AS "runId", id, key, position, name, role, status, attempt, rejections, task_id AS "taskId", result,
    reason, started_at AS "startedAt", finished_at AS "finishedAt", due_at AS "dueAt", version
  FROM run_steps WHERE tenant_id = $1 AND run_id = ANY ($2) ORDER BY run_id, position`;

export async function readSteps({ db, tenantId }: Tx, runIds: readonly string[]): Promise<Map<string, Step[]>> {
  const rows = await db.query<Step & { runId: string }>(stepsSql, [tenantId, runIds]);
  const byRun = Map.groupBy(rows, ({ runId }) => runId);
  return new Map([...byRun].map(([runId, ofRun]) => [runId, ofRun.map(({ runId: _, ...step }) => step)]));
}

/** A run as it is now, those of its steps that are new or differ, and what happened, numbered. */
export type RunRow = { run: Run; steps: readonly Step[]; entries: readonly (RunEntry & { seq: number })[] };

const stepFields = `
  "runId" text, id text, key text, position int, name text, role text, status text, attempt int, rejections int,
  "taskId" text, result jsonb, reason text, "startedAt" timestamptz, "finishedAt" timestamptz, "dueAt" timestamptz,
  version int`;

const insertSql = `
  WITH runs AS (
    INSERT INTO workflow_runs (tenant_id, id, workflow_id, workflow_version, name, parameters, status, started_at,
      started_by, estimated_completion, paused_at, finished_at, version, timeline_seq)
    SELECT $1, id, "workflowId", "workflowVersion", name, parameters, status, "startedAt", "startedBy",
      "estimatedCompletion", "pausedAt", "finishedAt", version, "timelineSeq"
    FROM json_to_recordset($2::json) AS s (id text, "workflowId" text, "workflowVersion" int, name text,
      parameters jsonb, status text, "startedAt" timestamptz, "startedBy" text, "estimatedCompletion" timestamptz,
      "pausedAt" timestamptz, "finishedAt" timestamptz, version int, "timelineSeq" int)
  ), steps AS (
    INSERT INTO run_steps (tenant_id, run_id, key, id, position, name, role, status, attempt, rejections, task_id,
      result, reason, started_at, finished_at, due_at, version)
    SELECT $1, "runId", key, id, position, name, role, status, attempt, rejections, "taskId", result, reason,
      "startedAt", "finishedAt", "dueAt", version
    FROM json_to_recordset($3::json) AS s (${stepFields})
  )
  INSERT INTO run_timeline (tenant_id, run_id, seq, kind, at, actor, data)
  SELECT $1, "runId", seq, kind, at, actor, data
  FROM json_to_recordset($4::json) AS e ("runId" text, seq int, kind text, at timestamptz, actor text, data jsonb)`;

export function insertRuns(tx: Tx, rows: readonly RunRow[]): void {
  const runs = rows.map(({ run }) => run);
  sendWrite(tx, insertSql, [tx.tenantId, JSON.stringify(runs), ...partsOf(rows)]);
  wakeFollowers(tx, rows);
}

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const updateSql = `
  WITH run_source AS (
    SELECT * FROM json_to_recordset($2::json) AS s (id text, "workflowId" text, status text,
      "estimatedCompletion" timestamptz, "pausedAt" timestamptz, "finishedAt" timestamptz, version int,
      "timelineSeq" int)
  ), step_source AS (
    SELECT * FROM json_to_recordset($3::json) AS s (${stepFields})
  ), runs AS (
    UPDATE workflow_runs r SET status = s.status, estimated_completion = s."estimatedCompletion",
      paused_at = s."pausedAt", finished_at = s."finishedAt", version = s.version, timeline_seq = s."timelineSeq"
    FROM run_source s
    WHERE r.tenant_id = $1 AND r.id = ANY (ARRAY(SELECT id FROM run_source)) AND r.id = s.id
      AND r.version = s.version - 1
    RETURNING r.id
  ), steps AS (
    UPDATE run_steps r SET status = s.status, attempt = s.attempt, rejections = s.rejections, task_id = s."taskId",
      result = s.result, reason = s.reason, started_at = s."startedAt", finished_at = s."finishedAt",
      due_at = s."dueAt", version = s.version
    FROM step_source s
    WHERE r.tenant_id = $1 AND r.run_id = ANY (ARRAY(SELECT "runId" FROM step_source)) AND r.run_id = s."runId"
      AND r.key = s.key AND r.version = s.version - 1
    RETURNING r.id
  ), entries AS (
    INSERT INTO run_timeline (tenant_id, run_id, seq, kind, at, actor, data)
    SELECT $1, "runId", seq, kind, greatest(at, (
      SELECT last.at FROM run_timeline last WHERE last.tenant_id = $1 AND last.run_id = "runId" ORDER BY last.seq DESC LIMIT 1
    )), actor, data
    FROM json_to_recordset($4::json) AS e ("runId" text, seq int, kind text, at timestamptz, actor text, data jsonb)
  ), durations AS (
    INSERT INTO step_durations (tenant_id, workflow_id, step_key, finished_at, run_id, duration_ms)
    SELECT $1, r."workflowId", s.key, s."finishedAt", r.id,
      greatest(0, round(extract(epoch FROM s."finishedAt" - s."startedAt") * 1000))
    FROM step_source s JOIN run_source r ON r.id = s."runId" WHERE s.status = 'completed'
  )
  SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM steps) AS written`;

/** Writes locked runs, those of their steps that differ, what happened, and how long the steps took that are completed. */
export async function updateRuns(tx: Tx, rows: readonly RunRow[]): Promise<void> {
  // Parameters never change, and may be long.
  const runs = rows.map(({ run: { parameters: _, ...run } }) => run);
  const values = [tx.tenantId, JSON.stringify(runs), ...partsOf(rows)];
  const [row] = await tx.db.query<{ written: number }>(updateSql, values);
  const expected = rows.reduce((sum, { steps }) => sum + 1 + steps.length, 0);
  if (row?.written !== expected) throw new Error('a run or a step has another version than the one that was read');
  wakeFollowers(tx, rows);
}

const partsOf = (rows: readonly RunRow[]): string[] => [
  JSON.stringify(rows.flatMap(({ run, steps }) => steps.map((step) => ({ ...step, runId: run.id })))),
  JSON.stringify(rows.flatMap(({ run, entries }) => entries.map((entry) => ({ ...entry, runId: run.id })))),
];

function wakeFollowers(tx: Tx, rows: readonly RunRow[]): void {
  for (const { run, entries } of rows) if (entries.length > 0) tx.notify('stream', run.id);
}
