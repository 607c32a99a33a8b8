import { type Database, type Db, earliestAt, type Tx } from '@eas/db';
import { failFor } from '../moves/fail.ts';
import { sendDirective } from '../moves/send-directive.ts';
import { lockLeasesOn } from '../records/leases/lease.store.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';
import { type DueRow, sweepDue } from './due-rows.sweeper.ts';
import { startChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { expireInput, lockInput } from '../records/inputs/input.store.ts';

const dueSql = `
  SELECT tenant_id AS "tenantId", id, expires_at AS "dueAt", task_id AS "taskId" FROM inputs
  WHERE status = 'pending' AND expires_at <= app_now() AND (expires_at, id) > ($1::timestamptz, $2::text)
  ORDER BY expires_at, id`;

const reason = 'the input was not answered in time';

/** Expires inputs that were not answered in time; a task that was blocked by one has failed. Returns how many. */
export function sweepExpiredInputs(database: Database): Promise<number> {
  return sweepDue(database, dueSql, expire);
}

export const nextInputExpiryAt = (db: Db): Promise<Date | null> =>
  earliestAt(db, `SELECT expires_at FROM inputs WHERE status = 'pending' ORDER BY expires_at LIMIT 1`);

async function expire(tx: Tx, { id, taskId }: DueRow & { taskId: string }, at: Date): Promise<boolean> {
  await lockLeasesOn(tx, [taskId]);
  const task = await lockTask(tx, taskId);
  const input = await lockInput(tx, id);
  if (!task || input?.status !== 'pending' || !input.isDue) return false;
  const change = startChange(tx, task, { at, actor: 'system' });
  await expireInput(tx, id);
  change.addEntry('answer', { input_id: id, expired: true });
  change.emit('task.answered', { input_id: id, status: 'expired', answered_by: null });
  if (input.isBlocking) {
    await withdrawLease(tx, change, input.leaseId, 'input_expired');
    failFor(change, reason);
  } else {
    await sendDirective(tx, change, { kind: 'answer', data: { input_id: id, expired: true } });
  }
  change.save();
  return true;
}
