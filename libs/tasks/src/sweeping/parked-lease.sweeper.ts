import { type Database, type Db, earliestAt, type Tx } from '@eas/db';
import { keepsAgent } from '../records/agents/keeps-agent.ts';
import { type DueRow, sweepDue } from './due-rows.sweeper.ts';
import { startChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { lockUnrevived } from '../records/leases/parked-lease.store.ts';
import { openAgain } from '../moves/open-again.ts';
import { withdrawLease } from '../moves/withdraw-lease.ts';

const dueSql = `
  SELECT tenant_id AS "tenantId", id, revive_until AS "dueAt" FROM leases
  WHERE ended_at IS NULL AND revive_until <= app_now() AND (revive_until, id) > ($1::timestamptz, $2::text)
  ORDER BY revive_until, id`;

/** The tasks open again, still planned for the agent, with the answer and the checkpoint. Returns how many. */
export function sweepUnrevivedLeases(database: Database): Promise<number> {
  return sweepDue(database, dueSql, endUnrevived);
}

const nextSql = `
  SELECT revive_until FROM leases WHERE ended_at IS NULL AND revive_until IS NOT NULL ORDER BY revive_until LIMIT 1`;

/** When the next answered lease has waited too long for its agent. */
export const nextUnrevivedAt = (db: Db): Promise<Date | null> => earliestAt(db, nextSql);

async function endUnrevived(tx: Tx, { id }: DueRow, at: Date): Promise<boolean> {
  const lease = await lockUnrevived(tx, id);
  if (!lease) return false;
  const task = await lockTask(tx, lease.taskId);
  if (task?.leaseId !== id) return false;
  const change = startChange(tx, task, { at, actor: 'system' });
  await withdrawLease(tx, change, id, 'parked_too_long');
  openAgain(change, undefined, { keepsAgent: await keepsAgent(tx, task) });
  change.save();
  return true;
}
