import { type Database, type Db, earliestAt } from '@eas/db';
import { type WorkKeyFields, workKeyColumns, workKeyOf } from '../records/tasks/work-key.ts';

const batchSize = 500;

/** Two processes may take alarms at once: each sends wake-ups for its own. */
const takeSql = `
  WITH due AS (
    SELECT tenant_id, task_id FROM task_alarms WHERE at <= app_now()
    ORDER BY at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  ), taken AS (
    DELETE FROM task_alarms a USING due WHERE a.tenant_id = due.tenant_id AND a.task_id = due.task_id
    RETURNING a.tenant_id, a.task_id
  )
  SELECT t.tenant_id AS "tenantId", app_now() AS now, ${workKeyColumns('t')}
  FROM taken JOIN tasks t ON t.tenant_id = taken.tenant_id AND t.id = taken.task_id
  WHERE t.status IN ('created', 'open') AND NOT t.is_held`;

type DueTask = WorkKeyFields & { tenantId: string; now: Date };

/** Wakes claims that wait for tasks that are now due. An alarm lost with its process costs one poll, no task. */
export async function fireTaskAlarms({ db, notify }: Pick<Database, 'db' | 'notify'>): Promise<void> {
  const tasks = await db.query<DueTask>(takeSql);
  for (const key of new Set(tasks.map((task) => workKeyOf(task.tenantId, task, task.now)))) notify('work', key);
}

export const nextTaskAlarmAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT at FROM task_alarms ORDER BY at LIMIT 1');
