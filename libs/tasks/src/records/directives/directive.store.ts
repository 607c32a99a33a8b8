import { type Directive, maxShownBytes } from '@eas/contracts';
import { boundedRowsSql, type DbScope } from '@eas/db';
import { type DirectiveRow, toDirective } from './directive.ts';

/** Maximum number of directives in a response; the oldest come first. */
const maxPending = 1_000;

/** Directives that wait for the holder of a lease, oldest first, as JSON, as many as fit. The arguments are SQL. */
export const pendingSql = (tenant: string, task: string, lease: string) => `
  ${boundedRowsSql({
    from: 'directives d',
    where: `d.tenant_id = ${tenant} AND d.task_id = ${task} AND d.acknowledged_at IS NULL
      AND (d.lease_id IS NULL OR d.lease_id = ${lease})`,
    key: 'd.seq',
    first: 'oldest',
    json: `json_build_object('id', d.id, 'kind', d.kind, 'data', d.data, 'at', d.created_at)`,
    maxRows: maxPending,
    maxBytes: maxShownBytes,
    hasOne: true,
  })} -> 'rows'`;

/** More unacknowledged messages of a task are refused. */
export const maxPendingMessages = 1_000;

const messagesSql = `
  SELECT count(*)::int AS count FROM directives
  WHERE tenant_id = $1 AND task_id = $2 AND acknowledged_at IS NULL AND kind = 'message'`;

export async function countPendingMessages({ db, tenantId }: DbScope, taskId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(messagesSql, [tenantId, taskId]);
  return row?.count ?? 0;
}

export type NewDirectiveRow = {
  id: string;
  taskId: string;
  seq: number;
  leaseId: string | null;
  kind: string;
  data: object;
  createdAt: Date;
};

const insertSql = `
  INSERT INTO directives (tenant_id, task_id, seq, id, lease_id, kind, data, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Inserts a directive. The task's row is locked and its counter already raised. */
export async function insertDirective({ db, tenantId }: DbScope, row: NewDirectiveRow): Promise<void> {
  const { taskId, seq, id, leaseId, kind, data, createdAt } = row;
  await db.query(insertSql, [tenantId, taskId, seq, id, leaseId, kind, JSON.stringify(data), createdAt]);
}

const ofLeaseSql = `
  SELECT id, kind, data, to_json(created_at) AS at FROM directives
  WHERE tenant_id = $1 AND task_id = $2 AND lease_id = $3 AND acknowledged_at IS NULL ORDER BY seq LIMIT ${maxPending}`;

/** Directives that the former holder of an ended lease still has to receive: the reason of the end. */
export async function directivesOfLease(
  { db, tenantId }: DbScope,
  { id, taskId }: { id: string; taskId: string },
): Promise<Directive[]> {
  return (await db.query<DirectiveRow>(ofLeaseSql, [tenantId, taskId, id])).map(toDirective);
}

const findSql = `
  SELECT id, lease_id AS "leaseId" FROM directives WHERE tenant_id = $1 AND task_id = $2 AND id = ANY ($3)`;

export async function findDirectives(
  { db, tenantId }: DbScope,
  taskId: string,
  ids: readonly string[],
): Promise<{ id: string; leaseId: string | null }[]> {
  return db.query(findSql, [tenantId, taskId, ids]);
}

const acknowledgeSql = `
  UPDATE directives SET acknowledged_at = app_now()
  WHERE tenant_id = $1 AND task_id = $2 AND id = ANY ($3) AND acknowledged_at IS NULL`;

export async function markAcknowledged(
  { db, tenantId }: DbScope,
  taskId: string,
  ids: readonly string[],
): Promise<void> {
  await db.query(acknowledgeSql, [tenantId, taskId, ids]);
}
