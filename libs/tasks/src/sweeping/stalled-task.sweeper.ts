import type { Database, Tx } from '@eas/db';
import { type DueRow, sweepDue } from './due-rows.sweeper.ts';
import { startChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';

const stalledMinutes = 30;

/** Uses the index on live leases: tasks without one are never read. */
const dueSql = `
  SELECT l.tenant_id AS "tenantId", t.id, l.started_at AS "dueAt"
  FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
  WHERE l.ended_at IS NULL AND l.started_at <= app_now() - ${stalledMinutes} * interval '1 minute'
    AND t.status = 'in_progress' AND t.stalled_at IS NULL
    AND t.updated_at <= app_now() - ${stalledMinutes} * interval '1 minute'
    AND (l.started_at, t.id) > ($1::timestamptz, $2::text)
  ORDER BY l.started_at, t.id`;

/** Reports tasks whose agents have sent nothing but heartbeats for half an hour. Returns how many. */
export function sweepStalledTasks(database: Database): Promise<number> {
  return sweepDue(database, dueSql, stall);
}

async function stall(tx: Tx, { id }: DueRow, at: Date): Promise<boolean> {
  const task = await lockTask(tx, id);
  if (task?.status !== 'in_progress' || task.stalledAt !== null) return false;
  if (at.getTime() - task.updatedAt.getTime() < stalledMinutes * 60_000) return false;
  const change = startChange(tx, task, { at, actor: 'system' });
  change.stall();
  change.save();
  return true;
}
