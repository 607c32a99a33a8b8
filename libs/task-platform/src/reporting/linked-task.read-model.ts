import type { WriteBack } from '@eas/contracts';
import type { DbScope } from '@eas/db';

/** A task that the platform knows and whose integration may call it. */
export type LinkedTask = { taskId: string; integrationId: string; externalId: string; writeBack: WriteBack | null };

/** Each by its task, whatever the planner takes the size of the table to be. */
const linkedSql = `
  SELECT l.task_id AS "taskId", l.integration_ref AS "integrationId", l.external_id AS "externalId",
    i.config -> 'write_back' AS "writeBack"
  FROM unnest($2::text[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM task_links WHERE task_id = wanted.id AND tenant_id = $1 OFFSET 0) AS l
  JOIN integrations i ON i.tenant_id = $1 AND i.id = l.integration_ref
  WHERE i.type = 'taskplatform' AND i.token IS NOT NULL
    AND i.deleted_at IS NULL AND i.status <> 'disconnected'
  ORDER BY l.integration_ref, l.external_id`;

export function readLinkedTasks({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<LinkedTask[]> {
  return db.query<LinkedTask>(linkedSql, [tenantId, taskIds]);
}
