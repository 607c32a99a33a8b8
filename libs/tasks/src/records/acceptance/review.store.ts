import type { DbScope } from '@eas/db';

const kindsSql = 'SELECT DISTINCT kind FROM artifacts WHERE tenant_id = $1 AND task_id = $2';

export async function artifactKindsOf({ db, tenantId }: DbScope, taskId: string): Promise<string[]> {
  return (await db.query<{ kind: string }>(kindsSql, [tenantId, taskId])).map(({ kind }) => kind);
}

const reviewsSql = `
  SELECT review_task_id AS id FROM tasks WHERE tenant_id = $1 AND id = ANY ($2) AND review_task_id IS NOT NULL`;

/** The reviews that tasks wait for. */
export async function reviewTasksOf({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(reviewsSql, [tenantId, taskIds])).map(({ id }) => id);
}

const pinnedSql = `
  SELECT id FROM tasks
  WHERE tenant_id = $1 AND assigned_agent = $2 AND status NOT IN ('completed', 'failed', 'cancelled')
    AND lease_id IS NULL AND is_pinned AND review_of IS NOT NULL ORDER BY id FOR NO KEY UPDATE`;

/** Locks the reviews that the agent alone may do and that are not claimed. */
export async function pinnedReviewsOf({ db, tenantId }: DbScope, agentId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(pinnedSql, [tenantId, agentId])).map(({ id }) => id);
}
