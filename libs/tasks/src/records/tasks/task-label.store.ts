import { sendWrite, type Tx } from '@eas/db';
import type { Task } from './task.ts';

export type Labelled = Pick<Task, 'tags' | 'metadata'>;

const relabelSql = `
  WITH old AS (SELECT task_labels_of($3::text[], $4::jsonb, NULL) AS label),
    new AS (SELECT task_labels_of($5::text[], $6::jsonb, NULL) AS label),
    gone AS (
      DELETE FROM task_labels
      WHERE tenant_id = $1 AND task_id = $2 AND label IN (SELECT label FROM old EXCEPT SELECT label FROM new)
    )
  INSERT INTO task_labels (tenant_id, label, task_id)
  SELECT $1, label, $2 FROM (SELECT label FROM new EXCEPT SELECT label FROM old) AS added`;

/** Brings the labels of a locked task from what they were made of to what they are made of now. */
export function relabelTask(tx: Tx, taskId: string, { before, now }: { before: Labelled; now: Labelled }): void {
  const [oldMetadata, newMetadata] = [JSON.stringify(before.metadata), JSON.stringify(now.metadata)];
  if (oldMetadata === newMetadata && JSON.stringify(before.tags) === JSON.stringify(now.tags)) return;
  sendWrite(tx, relabelSql, [tx.tenantId, taskId, before.tags, oldMetadata, now.tags, newMetadata]);
}
