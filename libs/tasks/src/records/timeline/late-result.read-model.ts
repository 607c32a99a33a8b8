import type { DbScope } from '@eas/db';

const keptSql = `
  SELECT FROM task_timeline WHERE tenant_id = $1 AND task_id = $2 AND kind = 'late_result'
    AND data ->> 'lease_id' = $3 AND data ->> 'call' = $4`;

/** Whether such a call under a lease that was over has been recorded. */
export async function isLateResultKept(
  { db, tenantId }: DbScope,
  taskId: string,
  { leaseId, call }: { leaseId: string; call: string },
): Promise<boolean> {
  return (await db.query(keptSql, [tenantId, taskId, leaseId, call])).length > 0;
}
