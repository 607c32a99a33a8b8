import type { WriteBack } from '@eas/contracts';
import { type DbScope, rowsByKeySql } from '@eas/db';

/** A task that the platform knows and whose integration may call it. */
export type LinkedTask = { taskId: string; integrationId: string; externalId: string; writeBack: WriteBack | null };

const linkedSql = `
  SELECT l.task_id AS "taskId", l.integration_ref AS "integrationId", l.external_id AS "externalId",
    i.config -> 'write_back' AS "writeBack"
  FROM unnest($2::text[]) AS wanted (id)
  ${rowsByKeySql('l', { from: 'task_links', where: 'task_id = wanted.id AND tenant_id = $1' })}
  JOIN integrations i ON i.tenant_id = $1 AND i.id = l.integration_ref
  WHERE i.type = 'taskplatform' AND i.token IS NOT NULL
    AND i.deleted_at IS NULL AND i.status <> 'disconnected'
  ORDER BY l.integration_ref, l.external_id`;

export function readLinkedTasks({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<LinkedTask[]> {
  return db.query<LinkedTask>(linkedSql, [tenantId, taskIds]);
}
