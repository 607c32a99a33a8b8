import {
  type Page,
  type PageOfItems,
  type WorkflowDefinition,
  type WorkflowListQuery,
  workflowListFields,
  type WorkflowResource,
} from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import type { Workflow } from './workflow.ts';

const currentVersionSql = 'SELECT current_version AS version FROM workflows WHERE tenant_id = $1 AND id = $2';

export async function findCurrentVersion({ db, tenantId }: DbScope, workflowId: string): Promise<number | undefined> {
  const [workflow] = await db.query<{ version: number }>(currentVersionSql, [tenantId, workflowId]);
  return workflow?.version;
}

const versionSql = `
  SELECT definition FROM workflow_versions WHERE tenant_id = $1 AND workflow_id = $2 AND version = $3`;

export async function findVersion(
  { db, tenantId }: DbScope,
  workflowId: string,
  version: number,
): Promise<WorkflowDefinition | undefined> {
  const [found] = await db.query<{ definition: WorkflowDefinition }>(versionSql, [tenantId, workflowId, version]);
  return found?.definition;
}

const workflowSql = `
  SELECT w.id, w.current_version AS version, w.created_at AS "createdAt", w.updated_at AS "updatedAt",
    v.definition, v.created_by AS "createdBy", w.shipped_as AS "shippedAs"
  FROM workflows w JOIN workflow_versions v
    ON v.tenant_id = w.tenant_id AND v.workflow_id = w.id AND v.version = w.current_version
  WHERE w.tenant_id = $1`;
const findSql = `${workflowSql} AND w.id = $2`;
const shippedSql = `${workflowSql} AND w.shipped_as IS NOT NULL`;

export async function findWorkflow({ db, tenantId }: DbScope, id: string): Promise<Workflow | undefined> {
  const [workflow] = await db.query<Workflow>(findSql, [tenantId, id]);
  return workflow;
}

export type ShippedWorkflow = Workflow & { shippedAs: string };

export function listShipped({ db, tenantId }: DbScope): Promise<ShippedWorkflow[]> {
  return db.query<ShippedWorkflow>(shippedSql, [tenantId]);
}

type Field = (typeof workflowListFields)[number];
export type WorkflowFilter = Pick<WorkflowListQuery, Field>;

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
  const conditions = workflowListFields.map((field) => equals(sortable[field].sql, filter[field]));
  return fetchPage<WorkflowResource>(scope, source, conditions, page);
}
