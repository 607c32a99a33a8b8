import type { WorkflowDefinition } from '@eas/contracts';
import { assertBelowLimit, type DbScope, lockRow, type Tx } from '@eas/db';
import { findWorkflow, listShipped, type ShippedWorkflow } from './workflow.read-model.ts';
import type { Workflow } from './workflow.ts';

/** `shippedAs` is the name of the shipped file that it comes from. */
export type NewWorkflow = Omit<Workflow, 'updatedAt' | 'archivedAt' | 'version'> & { shippedAs: string | null };

/** Throws conflict `limit` when the tenant has `max` workflows already that are not archived. */
export const assertBelowWorkflowLimit = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'workflows', max, () =>
    tx.db.prisma.workflow.count({ where: { tenantId: tx.tenantId, archivedAt: null } }),
  );

/** Inserts a workflow with its first version; a shipped one that is there already is left as it is. */
export async function insertWorkflow(tx: Tx, workflow: NewWorkflow): Promise<void> {
  const { id, shippedAs, definition, createdAt, createdBy } = workflow;
  const { db, tenantId } = tx;
  const { count } = await db.prisma.workflow.createMany({
    data: { tenantId, id, shippedAs, ...summaryOf(definition), createdAt, updatedAt: createdAt },
    skipDuplicates: shippedAs !== null,
  });
  if (count > 0) await writeVersion(tx, { workflowId: id, version: 1, definition, createdAt, createdBy });
}

/** Locks a workflow, so that it gets no other version. */
export async function lockWorkflow(scope: DbScope, id: string): Promise<Workflow | undefined> {
  await lockRow(scope, 'workflows', id);
  return findWorkflow(scope, id);
}

export async function updateArchived(
  { db, tenantId }: Tx,
  { id, archivedAt }: Pick<Workflow, 'id' | 'archivedAt'>,
): Promise<void> {
  await db.prisma.workflow.update({ where: { tenantId_id: { tenantId, id } }, data: { archivedAt } });
}

// The rows are locked before they are read, so that a waiting transaction sees what the previous one has written.
const lockShippedSql = `
  SELECT FROM workflows WHERE tenant_id = $1 AND shipped_as IS NOT NULL ORDER BY id FOR NO KEY UPDATE`;

export async function lockShipped(scope: DbScope): Promise<ShippedWorkflow[]> {
  await scope.db.query(lockShippedSql, [scope.tenantId]);
  return listShipped(scope);
}

export type NewVersion = { workflowId: string; definition: WorkflowDefinition; createdAt: Date; createdBy: string };

/** Gives a locked workflow a further version, which new runs get from now on, and returns its number. */
export async function insertVersion(tx: Tx, made: NewVersion): Promise<number> {
  const { db, tenantId } = tx;
  const { currentVersion: version } = await db.prisma.workflow.update({
    where: { tenantId_id: { tenantId, id: made.workflowId } },
    data: { ...summaryOf(made.definition), currentVersion: { increment: 1 }, updatedAt: made.createdAt },
    select: { currentVersion: true },
  });
  await writeVersion(tx, { ...made, version });
  return version;
}

/** What lists show and sort by. */
const summaryOf = ({ name, description, steps, estimated_duration }: WorkflowDefinition) => ({
  name,
  description,
  stepCount: steps.length,
  estimatedDuration: estimated_duration,
});

// SQL: Prisma's client changes objects with keys such as `$type`, `constructor` and `__proto__`; definitions have any keys.
const versionSql = `
  INSERT INTO workflow_versions (tenant_id, workflow_id, version, definition, created_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6)`;

async function writeVersion({ db, tenantId }: Tx, made: NewVersion & { version: number }): Promise<void> {
  const { workflowId, version, definition, createdAt, createdBy } = made;
  await db.query(versionSql, [tenantId, workflowId, version, JSON.stringify(definition), createdAt, createdBy]);
}
