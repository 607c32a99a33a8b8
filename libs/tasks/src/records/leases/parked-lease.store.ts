import type { DbScope, Tx } from '@eas/db';
import { notifySlot } from './lease.store.ts';
import { reviveSeconds } from './parked-lease.ts';

const blockingInputSql = `
  SELECT id FROM inputs WHERE tenant_id = $1 AND task_id = $2 AND status = 'pending' AND is_blocking`;

export async function blockingInputOf({ db, tenantId }: DbScope, taskId: string): Promise<string | undefined> {
  const [input] = await db.query<{ id: string }>(blockingInputSql, [tenantId, taskId]);
  return input?.id;
}

const parkSql = `
  WITH parked AS (
    UPDATE leases SET parked_at = app_now(), expires_at = NULL WHERE tenant_id = $1 AND id = $2 RETURNING agent_id
  )
  UPDATE agents SET active_leases = active_leases - 1, idle_since = app_now() FROM parked
  WHERE agents.tenant_id = $1 AND agents.id = parked.agent_id
  RETURNING id, active_leases + 1 >= max_concurrent_tasks AS "wasFull"`;

/** Lets a locked, running lease wait for a person: it has no end, and its agent has the slot for other work. */
export async function parkLease(tx: Tx, { id }: { id: string }): Promise<void> {
  const [agent] = await tx.db.query<{ id: string; wasFull: boolean }>(parkSql, [tx.tenantId, id]);
  if (agent?.wasFull) notifySlot(tx, agent.id);
}

const awaitRevivalSql = `
  UPDATE leases SET revive_until = app_now() + ${reviveSeconds} * interval '1 second'
  WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL AND parked_at IS NOT NULL`;

/** The answer for a locked, parked lease has arrived: its agent's next call revives it. */
export async function awaitRevival({ db, tenantId }: DbScope, id: string): Promise<void> {
  await db.query(awaitRevivalSql, [tenantId, id]);
}

const lockUnrevivedSql = `
  SELECT task_id AS "taskId" FROM leases
  WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL AND revive_until <= app_now() FOR NO KEY UPDATE SKIP LOCKED`;

/** Undefined: its agent returned or it has ended since it was listed, or it is locked. */
export async function lockUnrevived({ db, tenantId }: DbScope, id: string): Promise<{ taskId: string } | undefined> {
  const [lease] = await db.query<{ taskId: string }>(lockUnrevivedSql, [tenantId, id]);
  return lease;
}

const takeSlotSql = `
  UPDATE agents SET active_leases = active_leases + 1
  WHERE tenant_id = $1 AND id = $2 AND active_leases < max_concurrent_tasks AND deleted_at IS NULL RETURNING id`;
const unparkSql = `
  UPDATE leases SET parked_at = NULL, revive_until = NULL, expires_at = app_now() + seconds * interval '1 second'
  WHERE tenant_id = $1 AND id = $2`;

/** Makes a locked lease that was answered run again. False: its agent has no free slot. */
export async function unparkLease(
  { db, tenantId }: DbScope,
  { id, agentId }: { id: string; agentId: string },
): Promise<boolean> {
  if ((await db.query(takeSlotSql, [tenantId, agentId])).length === 0) return false;
  await db.query(unparkSql, [tenantId, id]);
  return true;
}
