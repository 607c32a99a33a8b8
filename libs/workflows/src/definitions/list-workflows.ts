import { type Page, type PageOfItems, pageOf, type WorkflowListQuery, type WorkflowResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { pageWorkflows } from './workflow.read-model.ts';

export async function listWorkflows(
  ctx: UseCaseContext,
  query: WorkflowListQuery,
): Promise<PageOfItems<WorkflowResource> & Pick<Page, 'limit' | 'offset'>> {
  const { limit, offset, sort = '-id', ...filter } = query;
  const page = pageOf({ limit, offset, sort });
  return { ...page, ...(await pageWorkflows(ctx, filter, page)) };
}
