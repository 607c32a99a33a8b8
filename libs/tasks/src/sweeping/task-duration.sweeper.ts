import type { Db } from '@eas/db';
import { medianOver } from '../reading/task-detail.read-model.ts';

const sweepSql = `
  DELETE FROM task_durations d USING (
    SELECT tenant_id, role, completed_at, task_id,
      row_number() OVER (PARTITION BY tenant_id, role ORDER BY completed_at DESC, task_id DESC) AS position
    FROM task_durations
  ) AS ordered
  WHERE ordered.position > ${medianOver} AND d.tenant_id = ordered.tenant_id AND d.role = ordered.role
    AND d.completed_at = ordered.completed_at AND d.task_id = ordered.task_id
  RETURNING d.task_id`;

/** Deletes how long tasks took that are too old for the median of their role. Returns how many. */
export async function sweepDurations(db: Db): Promise<number> {
  return (await db.query(sweepSql)).length;
}
