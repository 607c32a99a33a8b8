import type { TaskContract } from '@eas/contracts';
import type { DbScope } from '@eas/db';

type Found = { contract: TaskContract | null };

/** The contract of a task, as it is now; null where there is none, or no such task. */
export async function findContract({ db, tenantId }: DbScope, taskId: string): Promise<TaskContract | null> {
  const [task] = await db.query<Found>('SELECT contract FROM tasks WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    taskId,
  ]);
  return task?.contract ?? null;
}

const ofLeaseSql = `
  SELECT t.contract FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id
  WHERE l.tenant_id = $1 AND l.id = $2`;

/** The contract of the task of a lease; null where there is none, or no such lease. */
export async function findContractOfLease({ db, tenantId }: DbScope, leaseId: string): Promise<TaskContract | null> {
  const [task] = await db.query<Found>(ofLeaseSql, [tenantId, leaseId]);
  return task?.contract ?? null;
}
