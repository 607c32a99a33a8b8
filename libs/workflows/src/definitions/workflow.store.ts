import type { WorkflowDefinition } from '@eas/contracts';
import { assertBelowLimit, type DbScope, type Tx } from '@eas/db';
import { findWorkflow, listShipped, type ShippedWorkflow } from './workflow.read-model.ts';
import type { Workflow } from './workflow.ts';

/** `shippedAs` is the name of the shipped file that it comes from. */
export type NewWorkflow = Omit<Workflow, 'updatedAt' | 'version'> & { shippedAs: string | null };

const insertSql = `
  WITH made AS (
    INSERT INTO workflows
      (tenant_id, id, shipped_as, name, description, step_count, estimated_duration, created_at, updated_at)
    SELECT $1, $2, $3, d ->> 'name', d ->> 'description', jsonb_array_length(d -> 'steps'), d ->> 'estimated_duration',
      $5::timestamptz, $5::timestamptz
    FROM (SELECT $4::jsonb AS d) AS given
    ON CONFLICT (tenant_id, shipped_as) DO NOTHING
    RETURNING id, current_version, created_at
  )
  INSERT INTO workflow_versions (tenant_id, workflow_id, version, definition, created_at, created_by)
  SELECT $1, id, current_version, $4::jsonb, created_at, $6 FROM made`;

/** Throws conflict `limit` when the tenant has `max` workflows already. */
export const assertBelowWorkflowLimit = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'workflows', max, () => tx.db.prisma.workflow.count({ where: { tenantId: tx.tenantId } }));

/** Inserts a workflow with its first version; a shipped one that is there already is left as it is. */
export async function insertWorkflow({ db, tenantId }: DbScope, workflow: NewWorkflow): Promise<void> {
  const { id, shippedAs, definition, createdAt, createdBy } = workflow;
  await db.query(insertSql, [tenantId, id, shippedAs, JSON.stringify(definition), createdAt, createdBy]);
}

// The rows are locked before they are read: who waits for the lock is to see what the one before has written.
const lockSql = 'SELECT FROM workflows WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE';
const lockShippedSql = `
  SELECT FROM workflows WHERE tenant_id = $1 AND shipped_as IS NOT NULL ORDER BY id FOR NO KEY UPDATE`;

/** Locks a workflow, so that it gets no other version. */
export async function lockWorkflow(scope: DbScope, id: string): Promise<Workflow | undefined> {
  await scope.db.query(lockSql, [scope.tenantId, id]);
  return findWorkflow(scope, id);
}

export async function lockShipped(scope: DbScope): Promise<ShippedWorkflow[]> {
  await scope.db.query(lockShippedSql, [scope.tenantId]);
  return listShipped(scope);
}

const changeSql = `
  WITH changed AS (
    UPDATE workflows SET name = d ->> 'name', description = d ->> 'description',
      step_count = jsonb_array_length(d -> 'steps'), estimated_duration = d ->> 'estimated_duration',
      current_version = current_version + 1, updated_at = app_now()
    FROM (SELECT $3::jsonb AS d) AS given
    WHERE tenant_id = $1 AND id = $2
    RETURNING id, current_version, updated_at
  )
  INSERT INTO workflow_versions (tenant_id, workflow_id, version, definition, created_at, created_by)
  SELECT $1, id, current_version, $3::jsonb, updated_at, $4 FROM changed
  RETURNING version, created_at AS "updatedAt"`;

export type NewVersion = { version: number; updatedAt: Date };

/** Gives a locked workflow a further version, which new runs get from now on. */
export async function insertVersion(
  { db, tenantId }: DbScope,
  { id, definition, createdBy }: { id: string; definition: WorkflowDefinition; createdBy: string },
): Promise<NewVersion> {
  const values = [tenantId, id, JSON.stringify(definition), createdBy];
  const [made] = await db.query<NewVersion>(changeSql, values);
  if (!made) throw new Error(`workflow ${id} was not locked`);
  return made;
}
