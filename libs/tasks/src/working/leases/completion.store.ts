import { type DbScope, rowByKeySql, sendWrite, type Tx } from '@eas/db';
import { completionOf, type Task } from '../../records/tasks/task.ts';
import { taskSql } from '../../records/tasks/task-columns.ts';
import { insertTimelineSql, type NewTimelineEntry } from '../../records/timeline/timeline.store.ts';
import { endLeases } from '../../records/leases/lease.store.ts';
import type { LockedLease } from './lease-work.ts';

/** A lease that a call names; agentId null: the caller may act for any agent. */
export type NamedLease = { leaseId: string; fencingToken: number; agentId: string | null };

const lockSql = `
  SELECT ${taskSql.select('t')}, l.agent_id AS "agentId", l.fencing_token AS token, l.started_at AS "startedAt"
  FROM json_to_recordset($2::json) AS s ("leaseId" text, "fencingToken" int, "agentId" text)
  ${rowByKeySql('l', {
    from: 'leases',
    where: `tenant_id = $1 AND id = s."leaseId" AND fencing_token = s."fencingToken" AND ended_at IS NULL
      AND expires_at > app_now() AND (s."agentId" IS NULL OR s."agentId" = agent_id)`,
    lock: 'FOR NO KEY UPDATE SKIP LOCKED',
  })}
  ${rowByKeySql('t', {
    from: 'tasks',
    where: `tenant_id = $1 AND id = l.task_id AND lease_id = l.id AND contract IS NULL AND review_of IS NULL
      AND sent_back_sha IS NULL`,
    lock: 'FOR NO KEY UPDATE SKIP LOCKED',
  })}`;

type HeldTask = Task & { agentId: string; token: number; startedAt: Date };

/**
 * Locks those of the leases that run, with their tasks: by lease. None with acceptance rules, none that was sent back,
 * none that others have locked.
 */
export async function lockPlainLeases(
  { db, tenantId }: DbScope,
  leases: readonly NamedLease[],
): Promise<Map<string, LockedLease>> {
  const rows = await db.query<HeldTask>(lockSql, [tenantId, JSON.stringify(leases)]);
  return new Map(rows.map((row) => [row.leaseId ?? '', lockedOf(row)]));
}

function lockedOf({ agentId, token, startedAt, ...task }: HeldTask): LockedLease {
  const lease = { id: task.leaseId ?? '', taskId: task.id, agentId, fencingToken: token, startedAt };
  return { lease: { ...lease, endReason: null, state: 'running' }, task };
}

export type CompletedRow = { task: Task; leaseId: string; entries: readonly NewTimelineEntry[] };

const completedFields = [
  'updatedAt',
  'version',
  'timelineSeq',
  'completedAt',
  'completedBy',
  'codeQuality',
  'requirementsClarity',
  'result',
] as const;

/** `ANY (ARRAY(…))` has the rows found by their keys, whatever the planner takes the sizes to be. */
const updateSql = `
  WITH source AS (SELECT * FROM json_to_recordset($2::json) AS s (id text, ${taskSql.record(completedFields)})
  ), ${insertTimelineSql('$3')}
  UPDATE tasks t SET status = 'completed', lease_id = NULL, stalled_at = NULL, ${taskSql.assign(completedFields, 's')}
  FROM source s WHERE t.tenant_id = $1 AND t.id = s.id AND t.id = ANY (ARRAY(SELECT id FROM source))`;

/** Writes locked tasks as their agents have completed them: rows, entries, leases, slots and stats. */
export function writeCompleted(tx: Tx, rows: readonly CompletedRow[]): void {
  if (rows.length === 0) return;
  const tasks = rows.map(({ task }) => ({ id: task.id, ...taskSql.pick(completedFields, task) }));
  const entries = rows.flatMap((row) => row.entries);
  sendWrite(tx, updateSql, [tx.tenantId, JSON.stringify(tasks), JSON.stringify(entries)]);
  for (const { task } of rows) tx.notify('stream', task.id);
  const leaseIds = rows.map(({ leaseId }) => leaseId);
  const completions = rows.map(({ task }) => completionOf(task));
  endLeases(tx, leaseIds, 'completed', completions);
}
