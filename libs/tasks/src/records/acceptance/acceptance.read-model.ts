import type { Acceptance } from '@eas/contracts';
import type { DbScope } from '@eas/db';

type Found = { acceptance: Acceptance | null };

/** The acceptance of a task, as it is now; null where there is none, or no such task. */
export async function findAcceptance({ db, tenantId }: DbScope, taskId: string): Promise<Acceptance | null> {
  const [task] = await db.query<Found>('SELECT contract AS acceptance FROM tasks WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    taskId,
  ]);
  return task?.acceptance ?? null;
}

const ofLeaseSql = `
  SELECT t.contract AS acceptance FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
  WHERE l.tenant_id = $1 AND l.id = $2`;

/** The acceptance of the task of a lease; null where there is none, or no such lease. */
export async function findAcceptanceOfLease({ db, tenantId }: DbScope, leaseId: string): Promise<Acceptance | null> {
  const [task] = await db.query<Found>(ofLeaseSql, [tenantId, leaseId]);
  return task?.acceptance ?? null;
}
