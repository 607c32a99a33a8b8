import type { Database, Tx } from '@eas/db';
import { freeSlot } from '../agents/agent.store.ts';
import { endLease, lockLease } from './lease.store.ts';
import { changeTask } from '../tasks/task-change.ts';
import { lockTask } from '../tasks/task.store.ts';

const expiredSql = `
  SELECT tenant_id AS "tenantId", id FROM leases WHERE ended_at IS NULL AND expires_at <= app_now()
  ORDER BY expires_at LIMIT 200`;

/** After that many lost leases a task has failed. */
const maxLostLeases = 3;

/** Ends leases that ran out and makes their tasks claimable again. Returns how many. Several may run at once. */
export async function sweepExpiredLeases(database: Database): Promise<number> {
  const expired = await database.db.query<{ tenantId: string; id: string }>(expiredSql);
  const failures: unknown[] = [];
  for (const { tenantId, id } of expired) {
    await database
      .inTransaction(tenantId, (tx) => endExpired(tx, id, database.clock.now()))
      // One lease that cannot be ended must not hold up those behind it.
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} expired leases were not ended`);
  return expired.length;
}

async function endExpired(tx: Tx, leaseId: string, at: Date): Promise<void> {
  const lease = await lockLease(tx, leaseId);
  // Renewed, or ended by somebody else, since it was listed.
  if (!lease || lease.isLive || lease.endReason !== null) return;
  await endLease(tx, leaseId, 'expired');
  await freeSlot(tx, lease.agentId);
  const task = await lockTask(tx, lease.taskId);
  if (!task || task.leaseId !== leaseId) return;
  const change = changeTask(tx, task, { at, actor: 'system' });
  task.leaseId = null;
  task.fencingToken += 1;
  task.lostLeases += 1;
  if (task.lostLeases >= maxLostLeases) {
    change.move('failed');
    change.emit('task.failed', { reason: `the lease was lost ${maxLostLeases} times` });
  } else {
    change.move('open');
    change.emit('task.updated', { from: 'in_progress', to: 'open', changed: ['status'] });
  }
  await change.save();
}
