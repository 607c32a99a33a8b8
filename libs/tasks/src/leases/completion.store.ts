import { type DbScope, sendWrite, type Tx } from '@eas/db';
import type { Completion, Task } from '../tasks/task.ts';
import { taskColumns } from '../tasks/task.store.ts';
import type { NewTimelineEntry } from '../timeline/timeline.store.ts';

/** A lease that a call names; agentId null: the caller may act for any agent. */
export type NamedLease = { leaseId: string; fencingToken: number; agentId: string | null };

const lockSql = `
  SELECT ${taskColumns('t')}
  FROM leases l
  JOIN json_to_recordset($2::json) AS s ("leaseId" text, "fencingToken" int, "agentId" text) ON s."leaseId" = l.id
    AND s."fencingToken" = l.fencing_token AND (s."agentId" IS NULL OR s."agentId" = l.agent_id)
  JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id AND t.lease_id = l.id
  WHERE l.tenant_id = $1 AND l.ended_at IS NULL AND l.expires_at > app_now()
    AND t.contract IS NULL AND t.review_of IS NULL
  FOR NO KEY UPDATE OF l, t SKIP LOCKED`;

/** Locks those of the leases that run, with their tasks: by lease. None with a contract, none that others have locked. */
export async function lockHeldTasks(
  { db, tenantId }: DbScope,
  leases: readonly NamedLease[],
): Promise<Map<string, Task>> {
  const tasks = await db.query<Task>(lockSql, [tenantId, JSON.stringify(leases)]);
  return new Map(tasks.map((task) => [task.leaseId ?? '', task]));
}

/** A task as it is once its agent has completed it, under which lease, and what that adds. */
export type CompletedRow = {
  task: Task;
  leaseId: string;
  entries: readonly NewTimelineEntry[];
  completion: Completion;
};

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const writeSql = `
  WITH source AS (
    SELECT * FROM json_to_recordset($2::json) AS s (id text, lease_id text, agent_id text, at timestamptz, version int,
      timeline_seq int, code_quality int, requirements_clarity int, result jsonb, role text, duration_ms bigint)
  ), updated AS (
    UPDATE tasks t SET status = 'completed', lease_id = NULL, updated_at = s.at, version = s.version,
      timeline_seq = s.timeline_seq, completed_at = s.at, completed_by = s.agent_id, code_quality = s.code_quality,
      requirements_clarity = s.requirements_clarity, result = s.result, stalled_at = NULL
    FROM source s WHERE t.tenant_id = $1 AND t.id = s.id AND t.id = ANY (ARRAY(SELECT id FROM source))
  ), noted AS (
    INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
    SELECT $1, "taskId", seq, kind, at, actor, data
    FROM json_to_recordset($3::json) AS e ("taskId" text, seq int, kind text, at timestamptz, actor text, data jsonb)
  ), ended AS (
    UPDATE leases l SET ended_at = app_now(), end_reason = 'completed'
    FROM source s WHERE l.tenant_id = $1 AND l.id = s.lease_id AND l.id = ANY (ARRAY(SELECT lease_id FROM source))
  ), called_off AS (
    UPDATE inputs i SET status = 'cancelled'
    FROM source s WHERE i.tenant_id = $1 AND i.task_id = s.id AND i.lease_id = s.lease_id AND i.status = 'pending'
      AND i.task_id = ANY (ARRAY(SELECT id FROM source))
  ), locked AS MATERIALIZED (
    SELECT id FROM agents WHERE tenant_id = $1 AND id IN (SELECT agent_id FROM source) ORDER BY id FOR NO KEY UPDATE
  ), counted AS (
    UPDATE agents a SET active_leases = a.active_leases - done.tasks, idle_since = app_now(),
      tasks_completed = a.tasks_completed + done.tasks, completion_ms_total = a.completion_ms_total + done.ms,
      quality_total = a.quality_total + done.quality, quality_count = a.quality_count + done.scores
    FROM (
      SELECT agent_id, count(*)::int AS tasks, sum(duration_ms) AS ms, coalesce(sum(code_quality), 0) AS quality,
        count(code_quality)::int AS scores
      FROM source GROUP BY agent_id
    ) AS done JOIN locked ON locked.id = done.agent_id
    WHERE a.tenant_id = $1 AND a.id = done.agent_id
  )
  INSERT INTO task_durations (tenant_id, role, completed_at, task_id, duration_ms)
  SELECT $1, role, at, id, duration_ms FROM source WHERE role IS NOT NULL`;

/** Writes locked tasks as their agents have completed them: rows, entries, leases, slots and stats, in one statement. */
export function writeCompleted(tx: Tx, rows: readonly CompletedRow[]): void {
  if (rows.length === 0) return;
  const source = rows.map(({ task, leaseId, completion }) => ({
    ...{ id: task.id, lease_id: leaseId, agent_id: completion.by, at: task.completedAt, version: task.version },
    ...{ timeline_seq: task.timelineSeq, code_quality: task.codeQuality, result: task.result },
    ...{ requirements_clarity: task.requirementsClarity, role: completion.role, duration_ms: completion.durationMs },
  }));
  const entries = rows.flatMap((row) => row.entries);
  sendWrite(tx, writeSql, [tx.tenantId, JSON.stringify(source), JSON.stringify(entries)]);
}
