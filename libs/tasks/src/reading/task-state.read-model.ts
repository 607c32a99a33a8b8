import type { DbScope } from '@eas/db';
import type { TaskStatus } from '../records/tasks/task.ts';

export type TaskState = {
  id: string;
  status: TaskStatus;
  assignedAgent: string | null;
  completedBy: string | null;
  completedAt: Date | null;
  /** What it was completed with; of a failed one, `reason`. */
  results: { summary?: string; result?: Record<string, unknown>; reason?: string } | null;
  /** How often a review has rejected its work. Findings on its pull request do not count: they have a reason. */
  rejections: number;
};

const readSql = `
  SELECT t.id, t.status, t.assigned_agent AS "assignedAgent", t.completed_by AS "completedBy",
    t.completed_at AS "completedAt", t.result AS results,
    CASE WHEN t.contract ? 'review' THEN (
      SELECT count(*)::int FROM task_timeline e WHERE e.tenant_id = t.tenant_id AND e.task_id = t.id
        AND e.kind = 'status_change' AND e.data ->> 'from' = 'in_review' AND e.data ->> 'to' = 'open'
        AND NOT e.data ? 'reason'
    ) ELSE 0 END AS rejections
  FROM tasks t WHERE t.tenant_id = $1 AND t.id = ANY ($2)`;

export async function readTaskStates(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<Map<string, TaskState>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<TaskState>(readSql, [tenantId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}
