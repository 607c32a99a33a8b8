import {
  type Page,
  type PageOfItems,
  type WorkflowDefinition,
  type WorkflowListQuery,
  workflowListFields,
  type WorkflowResource,
} from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, type Prisma } from '@eas/db';
import type { Workflow } from './workflow.ts';

const currentSql = `
  SELECT current_version AS version, archived_at IS NOT NULL AS "isArchived" FROM workflows
  WHERE tenant_id = $1 AND id = $2`;
type Current = { version: number; isArchived: boolean };

/** The version that new runs get, and whether there may be any. */
export async function findCurrent({ db, tenantId }: DbScope, workflowId: string): Promise<Current | undefined> {
  const [workflow] = await db.query<Current>(currentSql, [tenantId, workflowId]);
  return workflow;
}

export async function findVersion(
  scope: DbScope,
  workflowId: string,
  version: number,
): Promise<WorkflowDefinition | undefined> {
  const [found] = await findVersions(scope, [{ workflowId, version }]);
  return found?.definition;
}

type Version = { workflowId: string; version: number };

async function findVersions({ db, tenantId }: DbScope, versions: Version[]) {
  const found = await db.prisma.workflowVersion.findMany({
    where: { tenantId, OR: versions },
    select: { workflowId: true, definition: true, createdBy: true },
  });
  return found.map((row) => ({ ...row, definition: row.definition as unknown as WorkflowDefinition }));
}

export async function findWorkflow(scope: DbScope, id: string): Promise<Workflow | undefined> {
  const [workflow] = await findWorkflows(scope, { id });
  return workflow;
}

export type ShippedWorkflow = Workflow & { shippedAs: string };

export async function listShipped(scope: DbScope): Promise<ShippedWorkflow[]> {
  const shipped = await findWorkflows(scope, { shippedAs: { not: null } });
  return shipped as ShippedWorkflow[];
}

/** Two statements are consistent, since versions never change. */
async function findWorkflows(scope: DbScope, which: Prisma.WorkflowWhereInput) {
  const rows = await scope.db.prisma.workflow.findMany({
    where: { ...which, tenantId: scope.tenantId },
    select: { id: true, shippedAs: true, currentVersion: true, createdAt: true, updatedAt: true, archivedAt: true },
  });
  if (rows.length === 0) return [];
  const current = rows.map(({ id, currentVersion }) => ({ workflowId: id, version: currentVersion }));
  const versions = await findVersions(scope, current);
  return rows.flatMap(({ currentVersion: version, ...row }) => {
    const found = versions.find(({ workflowId }) => workflowId === row.id);
    return found ? [{ ...row, version, definition: found.definition, createdBy: found.createdBy }] : [];
  });
}

type Field = (typeof workflowListFields)[number];
export type WorkflowFilter = Pick<WorkflowListQuery, Field | 'is_archived'>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  name: { sql: 'name', type: 'text' },
  description: { sql: 'description', type: 'text', isLong: true },
  steps: { sql: 'step_count', type: 'int' },
  estimated_duration: { sql: 'estimated_duration', type: 'text' },
};
const source: ListSource = {
  from: 'workflows',
  columns: 'id, name, description, step_count AS steps, estimated_duration',
  sortable,
};

export function pageWorkflows(
  scope: DbScope,
  filter: WorkflowFilter,
  page: Page,
): Promise<PageOfItems<WorkflowResource>> {
  const { is_archived: archived = 'false' } = filter;
  const conditions = [
    ...workflowListFields.map((field) => equals(sortable[field].sql, filter[field])),
    equals('(archived_at IS NOT NULL)', archived === 'any' ? undefined : archived === 'true'),
  ];
  return fetchPage<WorkflowResource>(scope, source, conditions, page);
}
