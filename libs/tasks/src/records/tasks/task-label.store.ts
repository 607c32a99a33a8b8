import { sendWrite, type Tx } from '@eas/db';
import type { Task } from './task.ts';
import { taskSql } from './task-columns.ts';

/** What the labels of a task are made of, and can change. */
const labelledFields = ['tags', 'metadata', 'projectId'] as const;
export type Labelled = Pick<Task, (typeof labelledFields)[number]>;

/** As it is now, whatever happens to the task. */
export const labelledOf = (task: Labelled): Labelled => structuredClone(taskSql.pick(labelledFields, task));

const relabelSql = `
  WITH old AS (SELECT task_labels_of($3::text[], $4::jsonb, NULL, $5) AS label),
    new AS (SELECT task_labels_of($6::text[], $7::jsonb, NULL, $8) AS label),
    gone AS (
      DELETE FROM task_labels
      WHERE tenant_id = $1 AND task_id = $2 AND label IN (SELECT label FROM old EXCEPT SELECT label FROM new)
    )
  INSERT INTO task_labels (tenant_id, label, task_id)
  SELECT $1, label, $2 FROM (SELECT label FROM new EXCEPT SELECT label FROM old) AS added`;

/** Brings the labels of a locked task from what they were made of to what they are made of now. */
export function relabelTask(tx: Tx, taskId: string, { before, now }: { before: Labelled; now: Labelled }): void {
  const [oldValues, newValues] = [valuesOf(before), valuesOf(now)];
  if (JSON.stringify(oldValues) === JSON.stringify(newValues)) return;
  sendWrite(tx, relabelSql, [tx.tenantId, taskId, ...oldValues, ...newValues]);
}

const valuesOf = ({ tags, metadata, projectId }: Labelled) => [tags, JSON.stringify(metadata), projectId] as const;
