import { pageOf, type WorkflowListQuery, type WorkflowResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { pageWorkflows } from './workflow.read-model.ts';

export async function listWorkflows(ctx: UseCaseContext, query: WorkflowListQuery): Promise<WorkflowResource[]> {
  const { limit, offset, sort = '-id', ...filter } = query;
  const { items } = await pageWorkflows(ctx, filter, pageOf({ limit, offset, sort }));
  return items;
}
