import type { Database, Tx } from '@eas/db';
import { startChange, type TaskChange } from '../tasks/task-change.ts';
import { lockTask } from '../tasks/task.store.ts';
import { lockExpiredLease } from './lease.store.ts';
import { openAgain } from './open-again.ts';
import { withdrawLease } from './withdraw-lease.ts';

type ExpiredLease = { tenantId: string; id: string; expiresAt: Date };

const batchSize = 200;
const expiredSql = `
  SELECT tenant_id AS "tenantId", id, expires_at AS "expiresAt" FROM leases
  WHERE ended_at IS NULL AND expires_at <= app_now() AND (expires_at, id) > ($1::timestamptz, $2::text)
  ORDER BY expires_at, id LIMIT ${batchSize}`;

/** After that many lost leases a task has failed. */
const maxLostLeases = 3;

/** Ends leases that ran out and makes their tasks claimable again. Returns how many. Several may run at once. */
export async function sweepExpiredLeases(database: Database): Promise<number> {
  const failures: unknown[] = [];
  let endedCount = 0;
  let after: [Date | string, string] = ['-infinity', ''];
  for (;;) {
    const batch = await database.db.query<ExpiredLease>(expiredSql, after);
    for (const { tenantId, id } of batch) {
      await database
        .inTransaction(tenantId, (tx) => endExpired(tx, id, database.clock.now()))
        .then((isEnded) => (endedCount += Number(isEnded)))
        // One lease that cannot be ended must not hold up those behind it.
        .catch((error: unknown) => failures.push(error));
    }
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) break;
    after = [last.expiresAt, last.id];
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} expired leases were not ended`);
  return endedCount;
}

/** Locks lease, task and agent in this order, as the calls under a lease do. */
async function endExpired(tx: Tx, leaseId: string, at: Date): Promise<boolean> {
  const lease = await lockExpiredLease(tx, leaseId);
  if (!lease) return false;
  const task = await lockTask(tx, lease.taskId);
  if (task?.leaseId !== leaseId) return false;
  const change = startChange(tx, task, { at, actor: 'system' });
  await withdrawLease(tx, change, leaseId, 'expired');
  loseLease(change, lease.agentId);
  await change.save();
  return true;
}

/** Whoever lost it comes last when the task is claimed again, which it may be at once. */
function loseLease(change: TaskChange, agentId: string): void {
  const { task, move, emit } = change;
  task.lostLeases += 1;
  task.lostBy = agentId;
  if (task.lostLeases >= maxLostLeases) {
    move('failed');
    emit('task.failed', { reason: `the lease was lost ${maxLostLeases} times` });
  } else {
    openAgain(change, 'the lease was lost');
  }
}
