import { type Database, type Db, earliestAt, type Tx } from '@eas/db';
import { type DueRow, sweepDue } from './due-rows.sweeper.ts';
import { startChange, type TaskChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { lockExpiredLease } from '../records/leases/lease.store.ts';
import { failFor } from '../moves/fail.ts';
import { openAgain } from '../moves/open-again.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';

const dueSql = `
  SELECT tenant_id AS "tenantId", id, expires_at AS "dueAt" FROM leases
  WHERE ended_at IS NULL AND expires_at <= app_now() AND (expires_at, id) > ($1::timestamptz, $2::text)
  ORDER BY expires_at, id`;

/** After this many lost leases a task has failed. */
const maxLostLeases = 3;

/** Ends expired leases and makes their tasks claimable again. Returns how many. Several may run at once. */
export function sweepExpiredLeases(database: Database): Promise<number> {
  return sweepDue(database, dueSql, endExpired);
}

export const nextLeaseExpiryAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, 'SELECT expires_at FROM leases WHERE ended_at IS NULL ORDER BY expires_at LIMIT 1');

/** Locks lease, task and agent in this order, as the calls under a lease do. */
async function endExpired(tx: Tx, { id }: DueRow, at: Date): Promise<boolean> {
  const lease = await lockExpiredLease(tx, id);
  if (!lease) return false;
  const task = await lockTask(tx, lease.taskId);
  if (task?.leaseId !== id) return false;
  const change = startChange(tx, task, { at, actor: 'system' });
  await withdrawLease(tx, change, id, 'expired');
  loseLease(change, lease.agentId);
  change.save();
  return true;
}

/** The agent that lost it comes last when the task is claimed again, which it may be at once. */
function loseLease(change: TaskChange, agentId: string): void {
  const { task } = change;
  task.lostLeases += 1;
  task.lostBy = agentId;
  if (task.lostLeases >= maxLostLeases) {
    failFor(change, `the lease was lost ${maxLostLeases} times`);
  } else {
    openAgain(change, 'the lease was lost');
  }
}
