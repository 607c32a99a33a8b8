import type { Page, PageOfItems, RunFilter, RunListItem } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toRunListItem } from './run-resource.ts';
import { pageRuns } from './run.read-model.ts';

export async function listRuns(ctx: UseCaseContext, filter: RunFilter, page: Page): Promise<PageOfItems<RunListItem>> {
  const { items, ...rest } = await pageRuns(ctx, filter, page);
  return { items: items.map(toRunListItem), ...rest };
}
