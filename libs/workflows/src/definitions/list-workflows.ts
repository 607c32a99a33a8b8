import { pageOf, type WorkflowListQuery, type WorkflowResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { pageWorkflows } from './workflow.read-model.ts';

/** A page of the tenant's workflows, newest first unless the query sorts them. */
export async function listWorkflows(ctx: UseCaseContext, query: WorkflowListQuery): Promise<WorkflowResource[]> {
  const { limit, offset, sort = '-id', ...filter } = query;
  const { items } = await pageWorkflows(ctx, filter, pageOf({ limit, offset, sort }));
  return items;
}
